import type { Period, ProcessorUnavailable } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspRefusal } from "../wire/Problem.ts"

/** Clocks that differ by less count as one: a bank writes whole seconds, and an answer takes its time. */
const clockToleranceMs = 60_000
/** The precision of a `Date` header: it has whole seconds, and the answer takes its time. */
const answerMs = 5_000
/** A `Date` header that is off by more doesn't come from a clock. */
const maxAheadMs = 3_600_000
/** Until a charge is made, its bank's instants of creation may be of another zone: Brasília is three hours from UTC. */
const unknownSkewMs = 4 * 3_600_000

/** How the clock of a bank differs from ours. */
export interface BankClock {
  /** The bank's now, or a little before it, never after it, as its answers have said; ours until one has. Epoch milliseconds. */
  readonly now: Effect.Effect<number>
  /** Whether an answer had a date. */
  readonly hasAnswered: () => boolean
  /** How far the bank's clock is ahead of ours, in milliseconds; 0 where they differ by no more than an answer takes. */
  readonly aheadMs: () => number
  /** Learns from the `Date` header of an answer. */
  readonly learnDate: (date: string) => Effect.Effect<void>
  /** Learns from a charge that was just made by our order of `orderedAt`; returns its creation by our clock. */
  readonly learnCreation: (createdAt: number, orderedAt: number) => Effect.Effect<number>
  /** The creation by our clock of a charge that was there before. */
  readonly readCreation: (createdAt: number) => Effect.Effect<number>
  /** How far a creation may be from what it is read as, in milliseconds; more until a charge was made. */
  readonly creationSkewMs: () => number
}

/** A bank's clock, equal to ours until its answers show a difference. */
export const makeBankClock = (): BankClock => {
  let aheadMs = 0
  let hasAnswered = false
  /** How far the instants of charges were ahead of ours when one was last made; they may differ from the bank's own clock. */
  let creationAheadMs: number | undefined

  return {
    now: Effect.map(Clock.currentTimeMillis, (now) => now + aheadMs),
    hasAnswered: () => hasAnswered,
    aheadMs: () => (Math.abs(aheadMs) > answerMs ? aheadMs : 0),
    learnDate: (date) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const ahead = Date.parse(date) - now
        if (Math.abs(ahead) <= maxAheadMs) aheadMs = ahead
        hasAnswered = true
      }),
    learnCreation: (createdAt, orderedAt) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const isRight = createdAt >= orderedAt - clockToleranceMs && createdAt <= now + clockToleranceMs
        creationAheadMs = isRight ? 0 : createdAt - now
        return isRight ? createdAt : orderedAt
      }),
    readCreation: (createdAt) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const byDate = Math.abs(aheadMs) > clockToleranceMs ? aheadMs : 0
        return Math.min(createdAt - (creationAheadMs ?? byDate), now)
      }),
    creationSkewMs: () => (creationAheadMs === undefined ? unknownSkewMs : clockToleranceMs),
  }
}

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
