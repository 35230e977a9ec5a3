import { ChargeStore, ProcessorUnavailable } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import { itWith } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { RecordedPage } from "../../src/service/reconcile/recordPage.ts"
import { aSweep, emptyPage } from "./aSweep.ts"

const hour = 3_600_000
const day = 24 * hour
const refused = new ProcessorUnavailable({ operation: "payments", cause: "HTTP 403" })

/** A company whose bank answered so while the clock ran three months ahead; what it is asked for since, and how far it is listed. */
const afterwards = (ahead: ReadonlyArray<RecordedPage | ProcessorUnavailable>, after: RecordedPage, hours: number) =>
  Effect.gen(function* () {
    const asked: Array<string | undefined> = []
    const answers = [...ahead]
    const sweep = yield* aSweep((_, __, cursor) =>
      Effect.suspend(() => {
        asked.push(cursor)
        const answer = answers.shift() ?? after
        return cursor === "forgotten" && answers.length === 0 ? refused : answer instanceof ProcessorUnavailable ? answer : Effect.succeed(answer)
      }),
    )
    const turn = Effect.gen(function* () {
      const claimed = yield* sweep.claim
      if (claimed !== undefined) yield* sweep.carryOn(claimed)
      return claimed?.reconciledUntil
    })
    yield* TestClock.setTime(fixtureNow + 90 * day)
    yield* (yield* ChargeStore).insert(aPendingCharge())
    yield* turn
    yield* TestClock.setTime(fixtureNow + day)
    asked.length = 0
    let until = fixtureNow
    for (let at = 0; at < hours; at++) {
      yield* TestClock.adjust(hour)
      until = (yield* turn) ?? until
    }
    return { asked, until }
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

const { effect } = itWith(memoryStore())

effect("a list that was refused while the clock ran ahead is asked for again", () =>
  Effect.gen(function* () {
    const { until } = yield* afterwards([refused], emptyPage, 26)
    expect(until).toBeGreaterThan(fixtureNow + day)
  }),
)

effect("a list is begun once more whose cursor was forgotten while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { asked } = yield* afterwards([{ ...emptyPage, cursor: "forgotten" }, refused], emptyPage, 3)
    expect(asked.slice(0, 2)).toEqual(["forgotten", undefined])
  }),
)

effect("what could not be recorded while the clock ran ahead is left out after eight days, too", () =>
  Effect.gen(function* () {
    const failing = { ...emptyPage, failed: 1 }
    const { until } = yield* afterwards([failing], failing, 24 * 10)
    expect(until).toBeGreaterThan(fixtureNow + day)
  }),
)
