/** A sale that a caller makes: what it asks for, and what it was acknowledged. */
export interface Sale {
  readonly issuer: string
  /** The charge's id. */
  readonly id: string
  readonly amountCents: number
  /** Of the payment that the caller notifies. */
  readonly endToEndId: string
  /** What issuing was answered with; absent until then. */
  transactionId?: string
  /** The payment was acknowledged. */
  isPaid?: true
  /** The refund was acknowledged. */
  isRefunded?: true
}

/** What a caller does with a sale. */
export type Operation = "issue" | "find" | "pay" | "refund"

/** One call of a host, answered or failed. */
export interface MadeCall {
  readonly operation: Operation
  readonly issuer: string
  /** The host's name. */
  readonly host: string
  /** Epoch milliseconds. */
  readonly beganAt: number
  readonly tookMs: number
  /** The error's tag; absent where the call was answered. */
  readonly failure?: string
}

/** An event as its receiver saw it. */
export interface ReceivedEvent {
  readonly id: string
  readonly chargeId: string
  readonly endToEndId: string
  /** Epoch milliseconds. */
  readonly arrivedAt: number
}

/** All that callers were answered and receivers were told, kept by those who were. */
export interface Ledger {
  readonly sales: Map<string, Sale>
  readonly calls: Array<MadeCall>
  /** One for each request that the receiver took, repeats too. */
  readonly received: Array<ReceivedEvent>
  /** Answers that can't be true. */
  readonly wrongAnswers: Array<string>
  /** How many events waited for their receiver at the end. */
  waiting: number
}

/** A database that is out of reach fails a call so, and the same call later goes on. */
export const isExpectedFailure = (tag: string): boolean => tag === "StoreUnavailable" || tag === "DirectoryUnavailable"

export const makeLedger = (): Ledger => ({ sales: new Map(), calls: [], received: [], wrongAnswers: [], waiting: 0 })
