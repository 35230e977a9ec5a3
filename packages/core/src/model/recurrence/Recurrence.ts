import type { LocalDate } from "../calendar/LocalDate.ts"
import type { ChargeId } from "../charge/ChargeId.ts"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "../cycle/RecurrenceId.ts"
import type { CycleTerms } from "../cycle/cycles.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Payer } from "../party/Company.ts"
import { type PersonalMarks, withoutPersonal } from "../party/personal.ts"

/** How the payer is asked to authorise. */
export type Journey =
  /** A request in the app of the payer's bank (journey 1), open until a moment in epoch milliseconds. */
  | {
      readonly by: "bank"
      /** The payer's bank, by its ISPB: eight letters or digits. */
      readonly ispb: string
      readonly branch?: string
      /** Absent after an erasure only. */
      readonly account?: string
      readonly until: number
    }
  /** A code that authorises and pays nothing (journey 2), open until a moment in epoch milliseconds. */
  | { readonly by: "code"; readonly until: number }
  /** The code of a charge, which is paid with it: an immediate one (journey 3), or one with a due date (journey 4). */
  | { readonly by: "payment"; readonly chargeId: ChargeId; readonly dueDate?: LocalDate }

/** What the payer authorises once. A bank changes none of it later: end the recurrence, and offer another. */
export interface RecurrenceTerms extends CycleTerms {
  /** The company that charges. */
  readonly issuer: Cnpj
  readonly id: RecurrenceId
  /** Names the contract to bank and payer, at most 35 characters; unique within the company (API Pix: `vinculo.contrato`). */
  readonly contract: string
  /** By which the payer recognises it, at most 35 characters (API Pix: `vinculo.objeto`). */
  readonly title: string
  /** Absent after an erasure only (`payerErasedAt`). */
  readonly payer?: Payer
  readonly payerErasedAt?: number
  /** What each cycle charges. Absent: each cycle's amount is said when it is charged. */
  readonly amountCents?: Cents
  /** The least that the payer may set as a maximum for a cycle; only without `amountCents` (API Pix: `valorMinimoRecebedor`). */
  readonly floorCents?: Cents
  /** Whether a cycle's debit that failed may be asked for again on up to three of the seven days after it. */
  readonly retries: "none" | "threeInSeven"
  readonly journey: Journey
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Fields that name the payer or their account: an erasure removes them. */
export const personalRecurrenceFields: {
  readonly terms: PersonalMarks<RecurrenceTerms>
  readonly journeys: { readonly [By in Journey["by"]]: PersonalMarks<Extract<Journey, { readonly by: By }>> }
} = {
  terms: {
    payer: true,
    issuer: false,
    id: false,
    contract: false,
    title: false,
    payerErasedAt: false,
    period: false,
    startDate: false,
    endDate: false,
    amountCents: false,
    floorCents: false,
    retries: false,
    journey: false,
    createdAt: false,
  },
  journeys: {
    bank: { branch: true, account: true, by: false, ispb: false, until: false },
    code: { by: false, until: false },
    payment: { by: false, chargeId: false, dueDate: false },
  },
}

/** The recurrence as it is after its payer's erasure, without their name and account. */
export const withoutRecurrencePayer = <State extends Recurrence>(recurrence: State, payerErasedAt: number): State => ({
  ...withoutPersonal(recurrence, personalRecurrenceFields.terms),
  journey: withoutPersonal(recurrence.journey, personalRecurrenceFields.journeys[recurrence.journey.by]),
  payerErasedAt,
})

/** The fields of every state. Instants are epoch milliseconds. */
interface AnyState extends RecurrenceTerms {
  /** Counts the moves; a commit names the version it saw. Starts at 1. */
  readonly version: number
  readonly updatedAt: number
  /** The first cycle about which nothing was decided yet. Starts at 1, and never goes back. */
  readonly nextCycle: number
  /** The cycle for which its host was asked to say an amount. */
  readonly announcedCycle?: number
  /** Cycles that its host leaves out, in the order in which it said so. */
  readonly skipped?: ReadonlyArray<number>
}

/** Decided, and perhaps known to the bank: the answer to its offer is not here yet. */
export interface RequestedRecurrence extends AnyState {
  readonly _tag: "Requested"
}

/** The payer can authorise it. */
export interface OfferedRecurrence extends AnyState {
  readonly _tag: "Offered"
  /** The bank's id (API Pix: `idRec`); case matters. */
  readonly bankId: string
  /** The copy-and-paste code that authorises; absent where the payer is asked in the bank's app. */
  readonly brCode?: string
}

/** The payer has authorised it: its cycles are charged. */
export interface ApprovedRecurrence extends AnyState {
  readonly _tag: "Approved"
  readonly bankId: string
  readonly approvedAt: number
}

/** It is to be over, and the bank has not confirmed that yet. No cycle is charged any more. */
export interface EndingRecurrence extends AnyState {
  readonly _tag: "Ending"
  /** Absent where its offer had no answer. */
  readonly bankId?: string
  readonly requestedAt: number
  /** Not by the company's decision: its payer can authorise it no more. */
  readonly reason?: "expired"
}

/** Over for good. */
export interface EndedRecurrence extends AnyState {
  readonly _tag: "Ended"
  readonly bankId?: string
  readonly end: RecurrenceEnd
}

/** One whose cycles may have charges: it is authorised, or was. */
export type AuthorisedRecurrence = ApprovedRecurrence | (EndedRecurrence & { readonly bankId: string })

/** Whether its cycles may have charges at the bank. */
export const isAuthorised = (recurrence: Recurrence): recurrence is AuthorisedRecurrence =>
  recurrence._tag === "Approved" || (recurrence._tag === "Ended" && recurrence.bankId !== undefined)

/** A recurrence in one of its states. */
export type Recurrence =
  | RequestedRecurrence
  | OfferedRecurrence
  | ApprovedRecurrence
  | EndingRecurrence
  | EndedRecurrence

/** What a bank shows of a recurrence. */
export interface RecurrenceView {
  readonly bankId: string
  /** `unknown`: a status that has no meaning here. It changes nothing. */
  readonly status: "offered" | "approved" | "declined" | "expired" | "cancelled" | "unknown"
  /** When the bank gave it this status, where that is shown. Epoch milliseconds. */
  readonly at?: number
  readonly by?: EndedBy
  readonly code?: string
  /** The code that authorises it, while it can be. */
  readonly brCode?: string
}
