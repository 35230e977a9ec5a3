/** A charge's status for its payer. */
export type CheckoutStatus = "pending" | "paid" | "expired" | "refunding" | "refunded" | "cancelled"

/**
 * The view of a charge, without data of the payer except texts meant for them. Amounts are integer cents, instants epoch
 * milliseconds.
 */
export interface CheckoutState {
  /** Changes with each change of the state, but not with `now`. */
  readonly id: string
  /** The server's time when it answered. The countdown uses it. */
  readonly now: number
  readonly status: CheckoutStatus
  /** Whether the charge can no longer change. */
  readonly isFinal: boolean
  readonly payee: { readonly name: string; readonly taxId: string }
  /** The shop's text for its payer (`messageToPayer`), and further lines like an order number. */
  readonly description?: string | undefined
  readonly additionalInfo: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** The amount due today: `total = original - abatement - discount + interest + fine`. */
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
  /** The business day that replaces the due date; absent if there is no change. */
  readonly movedDueDate?: string | undefined
  readonly payableUntil: number
  /** The copy-and-paste code, while the charge is payable. */
  readonly brCode?: string | undefined
  readonly payment?: { readonly amountCents: number; readonly paidAt: number; readonly isLate: boolean } | undefined
  /** The amount returned so far. */
  readonly returnedCents: number
  readonly refundedAt?: number | undefined
  /** Whether the payer can get a new code, because the old code has expired. */
  readonly canRenew: boolean
}

/** The state at a later time of the server's clock: an unpaid charge expires. */
export const stateAt = (state: CheckoutState, nowMs: number): CheckoutState =>
  state.status === "pending" && nowMs > state.payableUntil ? { ...state, status: "expired", brCode: undefined } : state
