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
 * Sweeps a company with these answers while the clock runs three months ahead. Corrects the clock and sweeps every hour. Returns
 * the searches since the correction, and the time until which the books are reconciled.
 */
const sweepAfterwards = (
  answers: ReadonlyArray<RecordedPage | ProcessorUnavailable>,
  later: RecordedPage | ProcessorUnavailable,
  { hours, createdAt = fixtureNow }: { readonly hours: number; readonly createdAt?: number },
) =>
  Effect.gen(function* () {
    const remaining = [...answers]
    const searches: Array<PaymentSearch & { readonly cursor?: string | undefined }> = []
    const sweep = yield* aSweep((_, search, cursor) =>
      Effect.suspend(() => {
        searches.push({ ...search, cursor })
        const answer = remaining.shift() ?? (cursor === undefined ? later : refused)
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
    searches.length = 0
    let until = fixtureNow
    for (let index = 0; index < hours; index++) {
      yield* TestClock.adjust(hour)
      until = (yield* turn) ?? until
    }
    return { searches, until }
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

const { effect } = itWith(memoryStore())

effect("lists again after a refusal while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { until } = yield* sweepAfterwards([refused], emptyPage, { hours: 26 })
    expect(until).toBeGreaterThan(fixtureNow + day)
  }),
)

effect("restarts a list whose cursor was lost while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { searches } = yield* sweepAfterwards([{ ...emptyPage, cursor: "forgotten" }, refused], emptyPage, {
      hours: 3,
    })
    expect(searches.slice(0, 2).map(({ cursor }) => cursor)).toEqual(["forgotten", undefined])
  }),
)

effect("skips after eight days a payment that couldn't be recorded while the clock ran ahead", () =>
  Effect.gen(function* () {
    const failing = { ...emptyPage, failed: 1 }
    const { until } = yield* sweepAfterwards([failing], failing, { hours: 24 * 10 })
    expect(until).toBeGreaterThan(fixtureNow + day)
  }),
)

effect("lists payments and returns of a company whose first charge was made while the clock ran ahead", () =>
  Effect.gen(function* () {
    const { searches } = yield* sweepAfterwards([], emptyPage, { hours: 30, createdAt: ahead })
    expect(searches.filter(({ from, until }) => from >= until)).toEqual([])
    expect(new Set(searches.map(({ isReturned }) => isReturned))).toEqual(new Set([undefined, true]))
  }),
)
