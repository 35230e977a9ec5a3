import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type PspUnanswered, failNotSent } from "./PspUnanswered.ts"

/** How many calls may be made: `max` at once after a rest, and one more each `refillMs`. */
export interface BudgetRule {
  readonly max: number
  readonly refillMs: number
}

/** Each run takes a call, or fails with `PspUnanswered` when none is left. */
export type CallBudget = Effect.Effect<void, PspUnanswered>

/** A full budget. */
export const makeCallBudget = ({ max, refillMs }: BudgetRule): CallBudget => {
  let left = max
  let countedAt = 0
  return Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, PspUnanswered> => {
    left = Math.min(max, left + Math.max(0, now - countedAt) / refillMs)
    countedAt = now
    if (left < 1) return failNotSent("budgetSpent", Math.ceil((1 - left) * refillMs))
    left -= 1
    return Effect.void
  })
}
