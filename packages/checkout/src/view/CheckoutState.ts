/** Where a charge stands for its payer. */
export type CheckoutStatus = "pending" | "paid" | "expired" | "refunding" | "refunded" | "cancelled"

/** What the page and the element show of a charge: nothing of its payer. Amounts are integer cents, instants epoch milliseconds. */
export interface CheckoutState {
  /** Of what is shown: another id, another state. */
  readonly id: string
  /** The server's clock as it answered, by which the countdown goes. */
  readonly now: number
  readonly status: CheckoutStatus
  /** Nothing will change any more. */
  readonly isFinal: boolean
  readonly payee: { readonly name: string; readonly taxId: string }
  /** Due today: `total = original - abatement - discount + interest + fine`. */
  readonly amounts: {
    readonly originalCents: number
    readonly abatementCents: number
    readonly discountCents: number
    readonly interestCents: number
    readonly fineCents: number
    readonly totalCents: number
  }
  /** `YYYY-MM-DD`, as asked for; absent for an immediate charge. */
  readonly dueDate?: string | undefined
  /** The business day to which the due date moves, where that is another. */
  readonly movedDueDate?: string | undefined
  readonly payableUntil: number
  /** The copy-and-paste code, while it can be paid. */
  readonly brCode?: string | undefined
  readonly payment?: { readonly amountCents: number; readonly paidAt: number; readonly isLate: boolean } | undefined
  /** What went back of the payment so far. */
  readonly returnedCents: number
  readonly refundedAt?: number | undefined
  /** Whether a new code can be made for what expired. */
  readonly canRenew: boolean
}
