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

/** The final answer to a call, which callers repeat until it ends. Times are epoch milliseconds. */
export interface GivenAnswer {
  readonly operation: Operation
  /** The key of a part, or the endToEndId of an exception's payment or of a notice. */
  readonly key: string
  readonly beganAt: number
  readonly endedAt: number
  readonly answer?: Answer
  readonly refusal?: string
}

export interface Attempt {
  readonly call: number
  readonly operation: Operation
  readonly issuer: string
  readonly beganAt: number
  readonly endedAt: number
  /** Why the call is repeated: the error's tag, or `refunding`. */
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

/** Epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly until: number
}

export interface Evidence {
  readonly sales: ReadonlyArray<Sale>
  readonly attempts: ReadonlyArray<Attempt>
  readonly surprises: ReadonlyArray<string>
  readonly companies: ReadonlyArray<Cnpj>
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
  /** Requests to the receiver without a valid event. */
  readonly unsound: number
  readonly rows: ReadonlyArray<Row>
  /** Epoch milliseconds. */
  readonly collectedAt: number
  /** The spans when the settlement of a sent event can be lost. */
  readonly incidents: ReadonlyArray<Span>
  /** True if a database was set back: the books can have lost answers, but not payments and returns. */
  readonly isSetBack: boolean
}
