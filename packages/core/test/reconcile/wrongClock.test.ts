import { ChargeStore, type PaymentSearch, ProcessorUnavailable } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { RecordedPage } from "../../src/services/reconcile/recordPage.ts"
import { aSweep, emptyPage } from "./aSweep.ts"

const hour = 3_600_000
const day = 24 * hour
const ahead = fixtureNow + 90 * day
const refused = new ProcessorUnavailable({ operation: "payments", cause: "HTTP 403" })

/**
 * A company swept with these answers while the clock ran three months ahead, and hourly since: the bank's later searches, and the
 * time until which the books are reconciled.
 */
const afterwards = (
  answers: ReadonlyArray<RecordedPage | ProcessorUnavailable>,
  later: RecordedPage | ProcessorUnavailable,
  { hours, createdAt = fixtureNow }: { readonly hours: number; readonly createdAt?: number },
) =>
  Effect.gen(function* () {
    const left = [...answers]
    const asked: Array<PaymentSearch & { readonly cursor?: string | undefined }> = []
    const sweep = yield* aSweep((_, search, cursor) =>
      Effect.suspend(() => {
        asked.push({ ...search, cursor })
        const answer = left.shift() ?? (cursor === undefined ? later : refused)
        return answer instanceof ProcessorUnavailable ? answer : Effect.succeed(answer)
      }),
    )
    const turn = Effect.gen(function* () {
      const claimed = yield* sweep.claim
      if (claimed !== undefined) yield* sweep.runTurn(claimed)
      return claimed?.reconciledUntil
    })
    yield* TestClock.setTime(ahead)
    yield* (yield* ChargeStore).insert(aPendingCharge({ createdAt }))
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

effect("lists again after a refusal while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { until } = yield* afterwards([refused], emptyPage, { hours: 26 })
    expect(until).toBeGreaterThan(fixtureNow + day)
  }),
)

effect("restarts a list whose cursor was lost while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { asked } = yield* afterwards([{ ...emptyPage, cursor: "forgotten" }, refused], emptyPage, { hours: 3 })
    expect(asked.slice(0, 2).map(({ cursor }) => cursor)).toEqual(["forgotten", undefined])
  }),
)

effect("skips after eight days a payment that couldn't be recorded while the clock ran ahead", () =>
  Effect.gen(function* () {
    const failing = { ...emptyPage, failed: 1 }
    const { until } = yield* afterwards([failing], failing, { hours: 24 * 10 })
    expect(until).toBeGreaterThan(fixtureNow + day)
  }),
)

effect("lists payments and returns of a company whose first charge was made while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { asked } = yield* afterwards([], emptyPage, { hours: 30, createdAt: ahead })
    expect(asked.filter(({ from, until }) => from >= until)).toEqual([])
    expect(new Set(asked.map(({ isReturned }) => isReturned))).toEqual(new Set([undefined, true]))
  }),
)
