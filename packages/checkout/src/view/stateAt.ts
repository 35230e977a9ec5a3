import type { CheckoutState } from "./CheckoutState.ts"

/**
 * A state as it is at a later moment of the server's clock: a code that can't be paid any more has expired, whether or not
 * the server has said so yet, and a page without connection says so, too.
 */
export const stateAt = (state: CheckoutState, nowMs: number): CheckoutState =>
  state.status === "pending" && nowMs > state.payableUntil ? { ...state, status: "expired", brCode: undefined } : state
