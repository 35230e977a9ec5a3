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

/** The final answer to a caller, who repeats a call until it ends. Moments are epoch milliseconds. */
export interface GivenAnswer {
  readonly operation: Operation
  /** A part's key, or the endToEndId of an exception's or a notice's payment. */
  readonly key: string
  readonly beganAt: number
  readonly endedAt: number
  /** Absent if the call was refused. */
  readonly answer?: Answer
  /** The error's tag of a refusal. */
  readonly refusal?: string
}

export interface Attempt {
  readonly call: number
  readonly operation: Operation
  readonly issuer: string
  readonly beganAt: number
  readonly endedAt: number
  /** Why it is repeated: the error's tag, or `refunding`. */
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

/** A charge with concurrent callers, and their answers. */
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
  /** The primary key, as text. */
  readonly key: string
  /** It is stored where its company's rows belong. */
  readonly isHome: boolean
  readonly columns: Readonly<Record<string, unknown>>
}

/** Two moments, in epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** All observations from outside, and the rows of the database. */
export interface Evidence {
  readonly sales: ReadonlyArray<Sale>
  readonly attempts: ReadonlyArray<Attempt>
  /** Answers that nobody should get. */
  readonly surprises: ReadonlyArray<string>
  readonly companies: ReadonlyArray<Cnpj>
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
  /** Requests to the receiver without a valid event. */
  readonly unsound: number
  readonly rows: ReadonlyArray<Row>
  /** When the rows were read. Epoch milliseconds. */
  readonly collectedAt: number
  /** During these, an event may have been sent and its settlement lost. */
  readonly incidents: ReadonlyArray<Span>
  /** A database was set back: answers may be lost, money may not. */
  readonly isSetBack: boolean
}
