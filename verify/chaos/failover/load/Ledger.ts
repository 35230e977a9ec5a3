/** A sale, and what of it a company was answered with. */
export interface Sale {
  readonly issuer: string
  readonly id: string
  readonly amountCents: number
  /** Its charge was acknowledged, under this transaction id and with this code. */
  issued?: { readonly transactionId: string; readonly txid: string; readonly brCode: string }
  /** Its payment was acknowledged. */
  paidBy?: string
  /** Its refund was acknowledged. */
  isRefunded?: true
  /** A refund was asked for. */
  isRefundAsked?: true
}

/** One answer to a company. */
export interface Answered {
  readonly path: string
  /** When it came, on the steady clock, in milliseconds. */
  readonly at: number
  /** How long it took from its first attempt on. */
  readonly tookMs: number
  /** When each attempt was begun that failed before, on the steady clock. */
  readonly failures: ReadonlyArray<number>
}

/** What companies were told: nobody may take that back. */
export class Ledger {
  readonly sales: Array<Sale> = []
  /** Calls that were begun. Each is repeated until it is answered. */
  begun = 0
  readonly answered: Array<Answered> = []
  /** Attempts that failed, by the error's tag. */
  readonly failed = new Map<string, number>()
  /** Answers that contradict earlier ones, and failures that nobody should see. */
  readonly surprises: Array<string> = []

  /** How many attempts failed. */
  get failures(): number {
    return [...this.failed.values()].reduce((sum, count) => sum + count, 0)
  }

  count(tag: string): void {
    this.failed.set(tag, (this.failed.get(tag) ?? 0) + 1)
  }
}
