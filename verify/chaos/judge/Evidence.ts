import type { Cnpj } from "@pixcharge/core/party"
import type { Ledger } from "@pixcharge/simulated-bank"
import type { Receipt } from "../../simulate/judge/index.ts"

export type Operation =
  | "issue"
  | "find"
  | "confirmPayment"
  | "cancel"
  | "refund"
  | "refundPart"
  | "exceptions.refund"
  | "exceptions.resolve"

/** The final answer to a caller, who repeats each call until it ends. Moments are epoch milliseconds. */
export interface GivenAnswer {
  readonly operation: Operation
  /** A part's key, or the endToEndId of a payment without a charge or of a notice. */
  readonly key: string
  readonly beganAt: number
  readonly endedAt: number
  /** Absent if the call was refused. */
  readonly answer?: Answer
  /** The refusal's error tag. */
  readonly refusal?: string
}

export interface Attempt {
  readonly call: number
  readonly operation: Operation
  readonly issuer: string
  readonly beganAt: number
  readonly endedAt: number
  /** The reason to repeat: the error's tag, or `refunding`. */
  readonly failure?: string
  readonly host: string
}

export interface Answer {
  readonly status: string
  readonly transactionId?: string
  readonly brCode?: string
  /** The endToEndId of the payment that settled the charge. */
  readonly settledBy?: string
}

export interface Sale {
  readonly issuer: string
  readonly id: string
  readonly amountCents: number
  /** The cents of each requested part, by key. */
  readonly parts: Map<string, number>
  readonly answers: Array<GivenAnswer>
}

export interface Row {
  readonly table: string
  readonly place: string
  readonly key: string
  readonly isHome: boolean
  readonly columns: Readonly<Record<string, unknown>>
}

/** Two moments in epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** All observations from outside, and the rows of the database. */
export interface Evidence {
  readonly sales: ReadonlyArray<Sale>
  readonly attempts: ReadonlyArray<Attempt>
  /** Unexpected answers. */
  readonly surprises: ReadonlyArray<string>
  readonly companies: ReadonlyArray<Cnpj>
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
  /** The number of requests to the receiver without a valid event. */
  readonly unsound: number
  readonly rows: ReadonlyArray<Row>
  /** When the rows were read, in epoch milliseconds. */
  readonly collectedAt: number
  /** Spans in which a sent event's settlement can be lost. */
  readonly incidents: ReadonlyArray<Span>
  /** A database was set back: answers can be lost, but not money. */
  readonly isSetBack: boolean
}
