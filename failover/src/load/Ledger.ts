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
  /** Attempts that failed before. */
  readonly failures: number
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

  /** The answers of calls that were begun and answered between two moments of the steady clock. */
  answeredWithin(from: number, until: number): ReadonlyArray<Answered> {
    return this.answered.filter(({ at, tookMs }) => at - tookMs >= from && at <= until)
  }

  count(tag: string): void {
    this.failed.set(tag, (this.failed.get(tag) ?? 0) + 1)
  }
}
