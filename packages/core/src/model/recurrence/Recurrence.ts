import type { LocalDate } from "../calendar/LocalDate.ts"
import type { ChargeId } from "../charge/ChargeId.ts"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "../cycle/RecurrenceId.ts"
import type { CycleRange } from "../cycle/CycleRange.ts"
import type { CycleTerms } from "../cycle/cycles.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Payer } from "../party/Company.ts"
import { type PersonalMarks, withoutPersonal } from "../party/personal.ts"

/** How the payer authorises. Every `until` is in epoch milliseconds. */
export type Journey =
  /** Journey 1: a request in the app of the payer's bank. */
  | {
      readonly by: "bank"
      /** The ISPB of the payer's bank: eight letters or digits. */
      readonly ispb: string
      readonly branch?: string
      /** Removed by an erasure. */
      readonly account?: string
      readonly until: number
    }
  /** Journey 2: a code that authorises without a payment. */
  | { readonly by: "code"; readonly until: number }
  /** Journeys 3 and 4: paying a charge, immediate (3) or with a due date (4), authorises too. */
  | { readonly by: "payment"; readonly chargeId: ChargeId; readonly dueDate?: LocalDate }

/** The terms that the payer authorises. They never change: end the recurrence, and offer another. */
export interface RecurrenceTerms extends CycleTerms {
  readonly issuer: Cnpj
  readonly id: RecurrenceId
  /** Names the contract to bank and payer: at most 35 characters, unique within the company (API Pix: `vinculo.contrato`). */
  readonly contract: string
  /** The title that the payer sees: at most 35 characters (API Pix: `vinculo.objeto`). */
  readonly title: string
  /** Removed by an erasure (`payerErasedAt`). */
  readonly payer?: Payer
  /** Epoch milliseconds. */
  readonly payerErasedAt?: number
  /** The amount of each cycle. If absent, the host names an amount cycle by cycle. */
  readonly amountCents?: Cents
  /**
   * The lowest maximum per cycle that the payer can set; only without `amountCents` (API Pix: `valorMinimoRecebedor`).
   */
  readonly floorCents?: Cents
  /**
   * The payer's permission: `threeInSeven` allows up to three new attempts in the seven days after the due date. Only the host
   * and `retryOn` request them.
   */
  readonly retries: "none" | "threeInSeven"
  readonly journey: Journey
  /** Epoch milliseconds. */
  readonly createdAt: number
}

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
    retryOn: false,
    journey: false,
    createdAt: false,
  },
  journeys: {
    bank: { branch: true, account: true, by: false, ispb: false, until: false },
    code: { by: false, until: false },
    payment: { by: false, chargeId: false, dueDate: false },
  },
}

export const withoutRecurrencePayer = <State extends Recurrence>(recurrence: State, payerErasedAt: number): State => ({
  ...withoutPersonal(recurrence, personalRecurrenceFields.terms),
  journey: withoutPersonal(recurrence.journey, personalRecurrenceFields.journeys[recurrence.journey.by]),
  payerErasedAt,
})

/** Instants are epoch milliseconds. */
interface AnyState extends RecurrenceTerms {
  /** Counts moves from 1. A commit names the version that it read. */
  readonly version: number
  readonly updatedAt: number
  /** The first undecided cycle, from 1. It only grows. */
  readonly nextCycle: number
  /** The last cycle published as `cycle-due`. */
  readonly announcedCycle?: number
  /** Skipped cycles, in disjoint ascending ranges. */
  readonly skipped?: ReadonlyArray<CycleRange>
}

/** The recurrence is stored. The bank hasn't answered the offer. */
export interface RequestedRecurrence extends AnyState {
  readonly _tag: "Requested"
}

export interface OfferedRecurrence extends AnyState {
  readonly _tag: "Offered"
  /** The bank's id, case-sensitive (API Pix: `idRec`). */
  readonly bankId: string
  /** The copy-and-paste code; absent when the bank's app asks the payer. */
  readonly brCode?: string
}

/** The payer has authorised the recurrence. */
export interface ApprovedRecurrence extends AnyState {
  readonly _tag: "Approved"
  readonly bankId: string
  /** Epoch milliseconds. */
  readonly approvedAt: number
}

/** The bank hasn't confirmed the end. No further cycle is charged. */
export interface EndingRecurrence extends AnyState {
  readonly _tag: "Ending"
  /** Absent if the bank never answered the offer. */
  readonly bankId?: string
  /** Epoch milliseconds. */
  readonly requestedAt: number
  /** Set when the offer expired; absent when the company ended it. */
  readonly reason?: "expired"
}

export interface EndedRecurrence extends AnyState {
  readonly _tag: "Ended"
  readonly bankId?: string
  readonly end: RecurrenceEnd
}

/** A recurrence whose cycles can have charges at the bank. */
export type AuthorisedRecurrence = ApprovedRecurrence | (EndedRecurrence & { readonly bankId: string })

export const isAuthorised = (recurrence: Recurrence): recurrence is AuthorisedRecurrence =>
  recurrence._tag === "Approved" || (recurrence._tag === "Ended" && recurrence.bankId !== undefined)

export type Recurrence =
  | RequestedRecurrence
  | OfferedRecurrence
  | ApprovedRecurrence
  | EndingRecurrence
  | EndedRecurrence

export interface RecurrenceView {
  readonly bankId: string
  /** `unknown` changes no state. */
  readonly status: "offered" | "approved" | "declined" | "expired" | "cancelled" | "unknown"
  /** When the bank set the status, in epoch milliseconds. */
  readonly at?: number
  readonly by?: EndedBy
  readonly code?: string
  readonly brCode?: string
}
