import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type PspUnanswered, failNotSent } from "./PspUnanswered.ts"

/** How many calls may be made: `most` at once after a rest, and one more each `refillMs`. */
export interface BudgetRule {
  readonly most: number
  readonly refillMs: number
}

/** A full budget: each run of the effect takes a call, or fails with `PspUnanswered` when none is left. */
export const makeCallBudget = ({ most, refillMs }: BudgetRule): Effect.Effect<void, PspUnanswered> => {
  let left = most
  let countedAt = 0
  return Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, PspUnanswered> => {
    left = Math.min(most, left + Math.max(0, now - countedAt) / refillMs)
    countedAt = now
    if (left < 1) return failNotSent("budgetSpent", Math.ceil((1 - left) * refillMs))
    left -= 1
    return Effect.void
  })
}
