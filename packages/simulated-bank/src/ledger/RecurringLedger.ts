import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerWebhook } from "./Ledger.ts"
import type { Periodicity } from "./apiValues.ts"

export type Journey = "JORNADA_1" | "JORNADA_2" | "JORNADA_3" | "JORNADA_4"

export type Ender = "USUARIO_PAGADOR" | "PSP_PAGADOR" | "USUARIO_RECEBEDOR" | "PSP_RECEBEDOR"

/** A rejection, or a cancellation if `by` names who requested it. */
export interface Ending {
  readonly code: string
  readonly by?: Ender
}

/** A status as the API names it. */
export interface StatusChange<Status extends string> {
  readonly status: Status
  /** Epoch milliseconds. */
  readonly at: number
}

/** A recurrence request (`RecSolicitada`). */
export interface RecBody {
  readonly vinculo: Readonly<Record<string, unknown>> & { readonly devedor: Readonly<Record<string, string>> }
  readonly calendario: {
    readonly dataInicial: LocalDate
    readonly dataFinal?: LocalDate
    readonly periodicidade: Periodicity
  }
  readonly valor?: { readonly valorRec?: string; readonly valorMinimoRecebedor?: string }
  readonly politicaRetentativa: "NAO_PERMITE" | "PERMITE_3R_7D"
}

export type RecStatus = "CRIADA" | "APROVADA" | "REJEITADA" | "EXPIRADA" | "CANCELADA"

/** A recurrence (`rec`) in the bank's ledger. */
export interface LedgerRec {
  readonly issuer: Cnpj
  readonly idRec: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  body: RecBody
  status: RecStatus
  readonly changes: Array<StatusChange<RecStatus>>
  locationId?: number
  /** The txid of the immediate charge whose payment approves the recurrence (journey 3). */
  firstTxid?: string
  journey?: Journey
  ending?: Ending
  /** The payer's bank rejects the next order with this code. */
  nextRejection?: string
  /** The payer's limit for each cycle, unknown to the company. */
  maximumCents?: number
}

/** Where payers read a recurrence (`locrec`). */
export interface LedgerLocation {
  readonly issuer: Cnpj
  readonly id: number
  readonly location: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  idRec?: string
}

export type RequestStatus = "CRIADA" | "ENVIADA" | "RECEBIDA" | "REJEITADA" | "ACEITA" | "EXPIRADA" | "CANCELADA"

/** A request to approve in the payer's bank (`solicrec`). */
export interface LedgerRequest {
  readonly issuer: Cnpj
  readonly idSolicRec: string
  readonly idRec: string
  readonly body: Readonly<Record<string, unknown>>
  /** Epoch milliseconds. */
  readonly openUntil: number
  status: RequestStatus
  readonly changes: Array<StatusChange<RequestStatus>>
}

/** A request for a cycle's charge (`CobRSolicitada`). */
export interface CycleBody {
  readonly idRec: string
  readonly calendario: { readonly dataDeVencimento: LocalDate }
  readonly valor: { readonly original: string }
  readonly ajusteDiaUtil?: boolean
  readonly recebedor: Readonly<Record<string, unknown>>
  readonly devedor?: Readonly<Record<string, unknown>>
  readonly infoAdicional?: string
}

export type AttemptStatus = "SOLICITADA" | "AGENDADA" | "PAGA" | "CANCELADA" | "REJEITADA" | "EXPIRADA"

export interface LedgerAttempt {
  readonly kind: "AGND" | "NTAG"
  readonly settlesOn: LocalDate
  readonly endToEndId: string
  status: AttemptStatus
  readonly changes: Array<StatusChange<AttemptStatus>>
  /** The number of debits tried on the settlement day. */
  tries: number
  rejection?: string
}

export type CycleStatus = "CRIADA" | "ATIVA" | "CONCLUIDA" | "EXPIRADA" | "REJEITADA" | "CANCELADA"

/** The charge of one cycle (`cobr`). */
export interface LedgerCycle {
  readonly issuer: Cnpj
  readonly txid: string
  readonly rec: LedgerRec
  /** The cycle's index, from 0; undefined if the due date belongs to no cycle of the recurrence. */
  readonly cycle: number | undefined
  readonly body: CycleBody
  readonly amountCents: Cents
  readonly dueDate: LocalDate
  readonly settlesOn: LocalDate
  /** Epoch milliseconds. */
  readonly createdAt: number
  status: CycleStatus
  readonly changes: Array<StatusChange<CycleStatus>>
  readonly attempts: Array<LedgerAttempt>
  ending?: Ending
}

export interface Debit {
  readonly idRec: string
  /** The cycle's index, from 0. */
  readonly cycle: number
  readonly txid: string
  readonly endToEndId: string
  readonly amountCents: Cents
  readonly dueDate: LocalDate
  /** Epoch milliseconds. */
  readonly at: number
}

/** The bank's actual state of recurrences. */
export interface RecurringLedger {
  readonly recs: Map<string, LedgerRec>
  readonly locations: Map<number, LedgerLocation>
  /** Requests by `idSolicRec`. */
  readonly requests: Map<string, LedgerRequest>
  /** Charges of cycles by CNPJ and txid (`chargeKey`). A txid is unique among these and all other charges. */
  readonly cycles: Map<string, LedgerCycle>
  /** Webhooks by kind and CNPJ, like `rec/12345678000195`. */
  readonly webhooks: Map<string, LedgerWebhook>
}

export const emptyRecurringLedger = (): RecurringLedger => ({
  recs: new Map(),
  locations: new Map(),
  requests: new Map(),
  cycles: new Map(),
  webhooks: new Map(),
})

export const move = <Status extends string>(
  moved: { status: Status; readonly changes: Array<StatusChange<Status>> },
  status: Status,
  at: number,
): void => {
  moved.status = status
  moved.changes.push({ status, at })
}

/** An account has one webhook for each kind. */
export type NoticeKind = "rec" | "cobr"

export const webhookKey = (kind: NoticeKind, cnpj: string): string => `${kind}/${cnpj}`
