import type { Period, ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BankClock } from "../http/BankClock.ts"
import type { PspRefusal } from "../wire/Problem.ts"

/** What is known of a clock changes by this much with the time that answers take. */
const sameClockMs = 5_000

/** A period as a bank is asked for it. Epoch milliseconds. */
export interface BankPeriod extends Period {
  /** The bank's now: some banks refuse a list that reaches beyond it. */
  readonly latest: number
}

/**
 * A period of ours as the bank has it, which dates payments by its own clock: it begins earlier by as much as that clock is
 * behind ours, and ends later by as much as it is ahead.
 */
const bankPeriod = ({ now, aheadMs }: BankClock, { from, until }: Period): Effect.Effect<BankPeriod> =>
  Effect.map(now, (latest) => ({ from: from + Math.min(aheadMs(), 0), until: until + Math.max(aheadMs(), 0), latest }))

/**
 * Asks for a period by the bank's clock, as known so far. If the answer shows another clock, as the first one of a process may,
 * the bank is asked once more: it may have refused a future instant, or have listed another period.
 */
export const askByBankClock = Effect.fnUntraced(function* <A>(
  clock: BankClock,
  period: Period,
  ask: (period: BankPeriod) => Effect.Effect<A, PspRefusal | ProcessorUnavailable>,
) {
  const first = yield* bankPeriod(clock, period)
  const aheadMs = clock.aheadMs()
  const answer = yield* Effect.result(ask(first))
  if (Result.isFailure(answer) && answer.failure._tag !== "PspRefusal") return yield* answer.failure
  const known = yield* bankPeriod(clock, period)
  const isOther = Math.abs(clock.aheadMs() - aheadMs) > sameClockMs
  const isBeyondNow = Result.isFailure(answer) && known.latest < first.latest
  return yield* isOther || isBeyondNow ? ask(known) : Effect.fromResult(answer)
})
