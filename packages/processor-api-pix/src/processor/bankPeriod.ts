import type { Period } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { BankClock } from "../http/BankClock.ts"

/** A period as a bank is asked for it. Epoch milliseconds. */
export interface BankPeriod extends Period {
  /** The bank's now: some banks refuse a list that reaches beyond it. */
  readonly latest: number
}

/**
 * A period of ours as the bank has it, which dates payments by its own clock: it begins so much earlier as that clock is
 * behind ours, and ends so much later as it is ahead.
 */
export const bankPeriod = ({ now, aheadMs }: BankClock, { from, until }: Period): Effect.Effect<BankPeriod> =>
  Effect.map(now, (latest) => ({ from: from + Math.min(aheadMs(), 0), until: until + Math.max(aheadMs(), 0), latest }))
