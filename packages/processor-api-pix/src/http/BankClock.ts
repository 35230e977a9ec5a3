import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

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
