import type { Cnpj } from "@pixcharge/core/party"
import type { Ledger } from "@pixcharge/simulated-bank"
import type { Receipt } from "@pixcharge/testkit/judge"

/** What callers ask for. */
export type Operation =
  | "issue"
  | "find"
  | "confirmPayment"
  | "cancel"
  | "refund"
  | "refundPart"
  | "exceptions.refund"
  | "exceptions.resolve"

/** What a caller was told, who repeats a call until it ends. Moments are epoch milliseconds. */
export interface GivenAnswer {
  readonly operation: Operation
  /** Of a part, or the payment's endToEndId of what is about an exception or a notice. */
  readonly key: string
  /** When the first attempt was begun. */
  readonly beganAt: number
  readonly endedAt: number
  /** What it was answered with; absent where the call was refused. */
  readonly answer?: Answer
  /** The error's tag of a refusal. */
  readonly refusal?: string
}

/** One attempt of a call. */
export interface Attempt {
  /** The call's number. */
  readonly call: number
  readonly operation: Operation
  readonly issuer: string
  readonly beganAt: number
  readonly endedAt: number
  /** Why it is made again: the error's tag, or `refunding`. */
  readonly failure?: string
  /** The host's name. */
  readonly host: string
}

/** What is read of an answer. */
export interface Answer {
  readonly status: string
  readonly transactionId?: string
  readonly brCode?: string
  /** The endToEndId of the payment that settled the charge. */
  readonly settledBy?: string
}

/** A charge that callers meet on, and what they were told of it. */
export interface Sale {
  readonly issuer: string
  readonly id: string
  readonly amountCents: number
  /** The cents of each part that was asked for, by its key. */
  readonly parts: Map<string, number>
  readonly answers: Array<GivenAnswer>
}

/** A row as it lies on disk. */
export interface Row {
  readonly table: string
  readonly place: string
  /** The primary key, as text. */
  readonly key: string
  /** It lies where its company's rows belong. */
  readonly isHome: boolean
  readonly columns: Readonly<Record<string, unknown>>
}

/** Two moments, in epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** All that was seen from outside, and what the database holds. */
export interface Evidence {
  readonly sales: ReadonlyArray<Sale>
  readonly attempts: ReadonlyArray<Attempt>
  /** What callers were told and nobody should be. */
  readonly surprises: ReadonlyArray<string>
  readonly companies: ReadonlyArray<Cnpj>
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
  /** Requests to the receiver that had no sound event. */
  readonly unsound: number
  readonly rows: ReadonlyArray<Row>
  /** When the rows were read. Epoch milliseconds. */
  readonly collectedAt: number
  /** While these went on, an event may have been sent whose settlement was lost. */
  readonly incidents: ReadonlyArray<Span>
  /** A database was set back: what callers were told may be lost, and money may not. */
  readonly isSetBack: boolean
}
