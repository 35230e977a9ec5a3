/** Where a charge stands for its payer. */
export type CheckoutStatus = "pending" | "paid" | "expired" | "refunding" | "refunded" | "cancelled"

/** What the page and the element show of a charge: nothing of its payer but the texts meant for them. Amounts are integer cents, instants epoch milliseconds. */
export interface CheckoutState {
  /** The id of what is shown. Another state has another id. */
  readonly id: string
  /** The server's clock at its answer, for the countdown. */
  readonly now: number
  readonly status: CheckoutStatus
  /** Whether nothing will change any more. */
  readonly isFinal: boolean
  readonly payee: { readonly name: string; readonly taxId: string }
  /** What is paid for, as the shop wrote it (`messageToPayer`), and the shop's further lines, like an order's number. */
  readonly description?: string | undefined
  readonly additionalInfo: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** Due today: `total = original - abatement - discount + interest + fine`. */
  readonly amounts: {
    readonly originalCents: number
    readonly abatementCents: number
    readonly discountCents: number
    readonly interestCents: number
    readonly fineCents: number
    readonly totalCents: number
  }
  /** `YYYY-MM-DD`, as the company set it; absent for an immediate charge. */
  readonly dueDate?: string | undefined
  /** The business day to which the due date moves, where that is another. */
  readonly movedDueDate?: string | undefined
  readonly payableUntil: number
  /** The copy-and-paste code, while it can be paid. */
  readonly brCode?: string | undefined
  readonly payment?: { readonly amountCents: number; readonly paidAt: number; readonly isLate: boolean } | undefined
  /** How much of the payment went back so far. */
  readonly returnedCents: number
  readonly refundedAt?: number | undefined
  /** Whether the payer can get a new code for an expired one. */
  readonly canRenew: boolean
}

/**
 * A state at a later moment of the server's clock: a code that can't be paid any more has expired.
 *
 * Pages show that before the server says so, also without a connection.
 */
export const stateAt = (state: CheckoutState, nowMs: number): CheckoutState =>
  state.status === "pending" && nowMs > state.payableUntil ? { ...state, status: "expired", brCode: undefined } : state
