import type { CheckoutState } from "./CheckoutState.ts"

/**
 * A state at a later moment of the server's clock: a code that can't be paid any more has expired.
 *
 * Pages show that before the server says so, also without a connection.
 */
export const stateAt = (state: CheckoutState, nowMs: number): CheckoutState =>
  state.status === "pending" && nowMs > state.payableUntil ? { ...state, status: "expired", brCode: undefined } : state
