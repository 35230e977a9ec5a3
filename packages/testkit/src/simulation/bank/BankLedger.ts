import type { LocalDate } from "@pixcharge/core/calendar"
import type { ReturnKind } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"

/** What a payer is asked for. */
export interface BankTerms {
  readonly amountCents: Cents
  readonly dueDate?: LocalDate
}

/** A charge in the bank's ledger. While it is being made nobody can see or pay it. */
export interface BankCharge {
  readonly issuer: Cnpj
  readonly txid: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds. */
  readonly payableUntil: number
  terms: BankTerms
  status: "making" | "active" | "completed" | "removed"
}

/** Money that goes back for a payment. While it is being made nobody can see it. */
export interface BankReturn {
  readonly id: string
  readonly kind: ReturnKind
  readonly amountCents: Cents
  status: "making" | "processing" | "returned" | "rejected"
  /** Who asked for it was told that it can't be made. */
  readonly isDenied: boolean
  /** When it was returned. Epoch milliseconds. */
  returnedAt?: number
}

/** A payment in the bank's ledger. */
export interface BankPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly txid?: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly returns: Array<BankReturn>
}

/** What the bank knows to be true, whatever it answered to whom: the books are held against it. */
export interface BankLedger {
  /** By company and txid. */
  readonly charges: Map<string, BankCharge>
  /** By endToEndId, in the order in which they were made. */
  readonly payments: Map<string, BankPayment>
}

export const bankChargeKey = (issuer: Cnpj, txid: string): string => `${issuer} ${txid}`

/** The n-th payment, from 1 and over again after the last: whoever names one does not know how many there are. */
export const nthPayment = ({ payments }: BankLedger, n: number): BankPayment | undefined =>
  [...payments.values()][(n - 1) % payments.size]

/** The payment's money that went back, or still may. */
export const returnedOrLive = ({ returns }: BankPayment): number =>
  returns.reduce((sum, { status, amountCents }) => (status === "rejected" ? sum : sum + amountCents), 0)
