import type { LocalDate } from "@pixcharge/core/calendar"
import type { ReturnKind } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"

/** The API's kinds of charges: immediate, and with a due date. */
export type ChargeKind = "cob" | "cobv"

/** The body of a charge request in the API's words (`CobSolicitada`, `CobVSolicitada`), without its location. */
export interface ChargeBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly valor: Readonly<Record<string, unknown>> & { readonly original: string }
  readonly chave: string
  readonly devedor?: Readonly<Record<string, unknown>>
  readonly solicitacaoPagador?: string
  readonly infoAdicionais?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** The terms of a charge. */
export interface ChargeTerms {
  readonly amountCents: Cents
  /** The due date; immediate without one. */
  readonly dueDate?: LocalDate
  /** Epoch milliseconds. */
  readonly payableUntil: number
  /** Absent if it was not requested through the API. */
  readonly body?: ChargeBody
}

/** A charge in the bank's ledger. Nobody can see or pay it while it is being made. */
export interface LedgerCharge {
  readonly issuer: Cnpj
  readonly txid: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The location that shows it, if one does. */
  locationId?: number
  /** The URL where payers read it, or last did. */
  location: string
  terms: ChargeTerms
  /** How often the company changed its terms or status. */
  revision: number
  status: "making" | "active" | "completed" | "removed"
  /** When its terms or status last changed. Epoch milliseconds. */
  changedAt: number
  /** Who removed it. */
  removedBy?: "company" | "bank"
}

/** Where payers read a charge (`loc`). */
export interface LedgerChargeLocation {
  readonly issuer: Cnpj
  readonly id: number
  readonly url: string
  readonly kind: ChargeKind
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The charge that is shown there. */
  txid?: string
}

/** A return of a payment. Nobody can see it while it is being made. */
export interface LedgerReturn {
  readonly id: string
  readonly rtrId: string
  readonly kind: ReturnKind
  /** Its nature in the API, if its kind has several. */
  readonly nature?: string
  readonly amountCents: Cents
  /** The company's text for the payer (`descricao`). */
  readonly description?: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The caller was told that it can't be made. */
  readonly isDenied?: boolean
  status: "making" | "processing" | "returned" | "rejected"
  /** When its status last changed. Epoch milliseconds. */
  changedAt: number
  /** When it was returned. Epoch milliseconds. */
  returnedAt?: number
}

/** A payment in the bank's ledger. */
export interface LedgerPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly txid?: string
  /** The company's key that received it; empty if it is a cycle's debit, which has none. */
  readonly pixKey: string
  /** The recurrence that it is a debit of. */
  readonly idRec?: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  /** The payer's note (`infoPagador`). */
  readonly payerText?: string
  readonly returns: Array<LedgerReturn>
}

/** A company's request for a return. */
export interface ReturnOrder {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly id: string
  readonly amountCents: Cents
  /** The company's text for the payer (`descricao`). */
  readonly description?: string
}

/** A requested return, with any outcome. */
export interface RequestedReturn extends ReturnOrder {
  /** Epoch milliseconds. */
  readonly requestedAt: number
}

/** A registered webhook. */
export interface LedgerWebhook {
  readonly url: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** Everything that is true at the bank, independent of its answers. */
export interface Ledger {
  /** By CNPJ and txid (`chargeKey`). Both kinds of charges share the txids; a removed charge keeps its txid. */
  readonly charges: Map<string, LedgerCharge>
  /** By id. Each charge is made with one, or for one that its company made before. */
  readonly locations: Map<number, LedgerChargeLocation>
  /** By endToEndId, in order of arrival. */
  readonly payments: Map<string, LedgerPayment>
  /** Each `PUT` of a return of a known payment, including repeats, before the bank decides. */
  readonly requested: Array<RequestedReturn>
  /** Webhook URLs by key. */
  readonly webhooks: Map<string, LedgerWebhook>
}

export const emptyLedger = (): Ledger => ({
  charges: new Map(),
  locations: new Map(),
  payments: new Map(),
  requested: [],
  webhooks: new Map(),
})

export const chargeKey = (issuer: string, txid: string): string => `${issuer}/${txid}`

/** The API's kind of a charge with these terms. */
export const chargeKind = ({ dueDate }: ChargeTerms): ChargeKind => (dueDate === undefined ? "cob" : "cobv")

/** The payments with a charge's txid, and their returns. */
export const chargePayments = ({ payments }: Ledger, issuer: string, txid: string): ReadonlyArray<LedgerPayment> =>
  [...payments.values()].filter((one) => one.issuer === issuer && one.txid === txid)

/** The cents of a payment that were returned or may still be. */
export const returningCents = ({ returns }: LedgerPayment): number =>
  returns.reduce((sum, { status, amountCents }) => (status === "rejected" ? sum : sum + amountCents), 0)

/** A refusal because of a property of the request, or as a `conflict` because the same is just being made. */
export interface BankRefusal {
  readonly _tag: "Refused"
  readonly reason: string
  readonly property: string
  readonly isConflict: boolean
}

/** Refuses a request for a property of it. */
export const refuse = (property: string, reason: string, isConflict = false): BankRefusal => ({
  _tag: "Refused",
  reason,
  property,
  isConflict,
})
