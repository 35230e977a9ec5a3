import type { Period, ProcessorUnavailable } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspRefusal } from "../wire/Problem.ts"

/** Clocks that differ by no more count as equal: a bank writes whole seconds, and an answer takes time. */
const clockToleranceMs = 60_000
const answerMs = 5_000
/** A `Date` header that differs more from our clock is ignored. */
const maxAheadMs = 3_600_000
/** The bound until the first charge. Creation times can be in Brasília's zone, three hours from UTC. */
const unknownSkewMs = 4 * 3_600_000

export interface BankClock {
  /** The bank's current time in epoch milliseconds; ours until the first answer. */
  readonly now: Effect.Effect<number>
  readonly hasAnswered: () => boolean
  /** The bank's lead over our clock in milliseconds; 0 if it is at most 5 s. */
  readonly aheadMs: () => number
  readonly learnDate: (date: string) => Effect.Effect<void>
  /** Returns, by our clock, the creation time of a charge that we ordered at `orderedAt`. */
  readonly learnCreation: (createdAt: number, orderedAt: number) => Effect.Effect<number>
  /** Returns, by our clock, the creation time of an existing charge. */
  readonly readCreation: (createdAt: number) => Effect.Effect<number>
  /** The error bound of a creation time, in milliseconds. */
  readonly creationSkewMs: () => number
}

export const makeBankClock = (): BankClock => {
  let aheadMs = 0
  let hasAnswered = false
  /** Kept apart from `aheadMs`: a bank's creation times can differ from its `Date` header. */
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

const sameClockMs = 5_000

export interface BankPeriod extends Period {
  /** The bank's current time in epoch milliseconds. Some banks refuse a list that reaches beyond it. */
  readonly latest: number
}

/** By the difference of the clocks: the bank dates payments by its own. */
const bankPeriod = ({ now, aheadMs }: BankClock, { from, until }: Period): Effect.Effect<BankPeriod> =>
  Effect.map(now, (latest) => ({ from: from + Math.min(aheadMs(), 0), until: until + Math.max(aheadMs(), 0), latest }))

/**
 * If the answer shows that we had the bank's clock wrong, asks again: the bank can have refused a future instant or listed
 * another period.
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
  const isClockCorrected = Math.abs(clock.aheadMs() - aheadMs) > sameClockMs
  const isBeyondNow = Result.isFailure(answer) && known.latest < first.latest
  return yield* isClockCorrected || isBeyondNow ? ask(known) : Effect.fromResult(answer)
})
