import type { LocalDate } from "@pixcharge/core/calendar"
import type { ReturnKind } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"

/** The kinds of charges: immediate (`cob`), and with a due date (`cobv`). */
export type ChargeKind = "cob" | "cobv"

/** A charge request (`CobSolicitada`, `CobVSolicitada`) without its location. */
export interface ChargeBody {
  readonly calendario: Readonly<Record<string, unknown>>
  readonly valor: Readonly<Record<string, unknown>> & { readonly original: string }
  readonly chave: string
  readonly devedor?: Readonly<Record<string, unknown>>
  readonly solicitacaoPagador?: string
  readonly infoAdicionais?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

export interface ChargeTerms {
  readonly amountCents: Cents
  readonly dueDate?: LocalDate
  /** Epoch milliseconds. */
  readonly payableUntil: number
  /** The request's body; absent if the charge was not requested through the API. */
  readonly body?: ChargeBody
}

/** A charge in the bank's ledger. It is invisible and unpayable while it is being made. */
export interface LedgerCharge {
  readonly issuer: Cnpj
  readonly txid: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  locationId?: number
  /** The current or last URL where payers read the charge. */
  location: string
  terms: ChargeTerms
  /** The number of changes by the company. */
  revision: number
  /** The terms of each revision, from 0. */
  readonly termsByRevision: Array<ChargeTerms>
  status: "making" | "active" | "completed" | "removed"
  /** The last change of terms or status. Epoch milliseconds. */
  changedAt: number
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
  txid?: string
}

/** A return of a payment, invisible while it is being made. */
export interface LedgerReturn {
  readonly id: string
  readonly rtrId: string
  readonly kind: ReturnKind
  /** The nature of the return in the API, if its kind has several natures. */
  readonly nature?: string
  readonly amountCents: Cents
  /** The company's text for the payer (`descricao`). */
  readonly description?: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The answer said that the return failed. */
  readonly isDenied?: boolean
  status: "making" | "processing" | "returned" | "rejected"
  /** The last change of status. Epoch milliseconds. */
  changedAt: number
  /** Epoch milliseconds. */
  returnedAt?: number
}

export interface LedgerPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly txid?: string
  /** The company's key that received the payment; empty for a cycle's debit. */
  readonly pixKey: string
  /** The debited recurrence. */
  readonly idRec?: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  /** The payer's note (`infoPagador`). */
  readonly payerText?: string
  /** The revision of the charge that the payer's app had read. */
  readonly revision?: number
  readonly returns: Array<LedgerReturn>
}

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

export interface LedgerWebhook {
  readonly url: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** The bank's actual state, independent of its answers. */
export interface Ledger {
  /** Charges by CNPJ and txid (`chargeKey`). A txid is unique among both kinds of charges. A removed charge keeps its txid. */
  readonly charges: Map<string, LedgerCharge>
  /** Locations by id. */
  readonly locations: Map<number, LedgerChargeLocation>
  /** Payments by endToEndId, in order of arrival. */
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

export const chargeKind = ({ dueDate }: ChargeTerms): ChargeKind => (dueDate === undefined ? "cob" : "cobv")

/** The payments of a charge, with their returns. */
export const chargePayments = ({ payments }: Ledger, issuer: string, txid: string): ReadonlyArray<LedgerPayment> =>
  [...payments.values()].filter((one) => one.issuer === issuer && one.txid === txid)

/** The cents of a payment that are returned or under way. */
export const returningCents = ({ returns }: LedgerPayment): number =>
  returns.reduce((sum, { status, amountCents }) => (status === "rejected" ? sum : sum + amountCents), 0)

/** A refusal because of a property of the request, or (`isConflict`) because the same request is under way. */
export interface BankRefusal {
  readonly _tag: "Refused"
  readonly reason: string
  readonly property: string
  readonly isConflict: boolean
}

export const refuse = (property: string, reason: string, isConflict = false): BankRefusal => ({
  _tag: "Refused",
  reason,
  property,
  isConflict,
})
