import type { LocalDate } from "@pixcharge/core/calendar"
import type { ReturnKind } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"

/** What a charge is asked for with in the words of the API (`CobSolicitada`, `CobVSolicitada`). */
export interface ChargeBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly valor: Readonly<Record<string, unknown>> & { readonly original: string }
  readonly chave: string
  readonly devedor?: Readonly<Record<string, unknown>>
  readonly solicitacaoPagador?: string
  readonly infoAdicionais?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** What a payer is asked for. */
export interface ChargeTerms {
  readonly amountCents: Cents
  /** The day on which it is due; without one it is to be paid at once. */
  readonly dueDate?: LocalDate
  /** Epoch milliseconds. */
  readonly payableUntil: number
  /** Absent where it was not asked for through the API. */
  readonly body?: ChargeBody
}

/** A charge in the bank's ledger. While it is being made nobody can see or pay it. */
export interface LedgerCharge {
  readonly issuer: Cnpj
  readonly txid: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly locationId: number
  readonly location: string
  terms: ChargeTerms
  /** How often its terms or its status were changed by the company. */
  revision: number
  status: "making" | "active" | "completed" | "removed"
  /** When its terms or its status changed last. Epoch milliseconds. */
  changedAt: number
  /** Who removed it. */
  removedBy?: "company" | "bank"
}

/** Money that goes back for a payment. While it is being made nobody can see it. */
export interface LedgerReturn {
  readonly id: string
  readonly rtrId: string
  readonly kind: ReturnKind
  /** What the API says of its nature, where its kind has several. */
  readonly nature?: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Who asked for it was told that it can't be made. */
  readonly isDenied?: boolean
  status: "making" | "processing" | "returned" | "rejected"
  /** When its status changed last. Epoch milliseconds. */
  changedAt: number
  /** When it was returned. Epoch milliseconds. */
  returnedAt?: number
}

/** A payment in the bank's ledger. */
export interface LedgerPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly txid?: string
  /** The company's key that it was made to. */
  readonly pixKey: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  /** What the payer wrote beside it (`infoPagador`). */
  readonly payerText?: string
  readonly returns: Array<LedgerReturn>
}

/** A return that a company asks for. */
export interface ReturnOrder {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly id: string
  readonly amountCents: Cents
}

/** A return that was asked for, whatever became of it. */
export interface AskedReturn extends ReturnOrder {
  /** Epoch milliseconds. */
  readonly askedAt: number
}

/** Everything that the bank knows to be true, whatever it answered to whom. */
export interface Ledger {
  /** By CNPJ and txid (`chargeKey`); both kinds of charges share the txids, and a removed charge keeps its own. */
  readonly charges: Map<string, LedgerCharge>
  /** By endToEndId, in the order in which they came in. */
  readonly payments: Map<string, LedgerPayment>
  /** Each `PUT` of a return of a known payment, before the bank decides; a repeated one again. */
  readonly asked: Array<AskedReturn>
  /** Where to call, by key. */
  readonly webhooks: Map<string, { readonly url: string; readonly since: number }>
}

export const emptyLedger = (): Ledger => ({ charges: new Map(), payments: new Map(), asked: [], webhooks: new Map() })

export const chargeKey = (issuer: string, txid: string): string => `${issuer}/${txid}`

/** The payments that name a charge, with their returns. */
export const chargePayments = ({ payments }: Ledger, issuer: string, txid: string): ReadonlyArray<LedgerPayment> =>
  [...payments.values()].filter((one) => one.issuer === issuer && one.txid === txid)

/** The payment's money that went back, or still may. */
export const returningCents = ({ returns }: LedgerPayment): number =>
  returns.reduce((sum, { status, amountCents }) => (status === "rejected" ? sum : sum + amountCents), 0)
