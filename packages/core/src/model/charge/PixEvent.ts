import type { WithIso } from "../../runtime/iso.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "../cycle/RecurrenceId.ts"
import type { ChargeId, Txid } from "./ChargeId.ts"

/** The payment of an event, without payer data (decision 25). */
export interface EventPayment {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly endToEndId: string
  readonly amountCents: Cents
  /** The paid cycle, counted from 1. Bodies of `pix.pago` and `pix.estornado` lack it. */
  readonly cycle?: EventRecurrence & { readonly cycle: number }
}

export interface EventRefund {
  /** The id at the processor (`devolucao.id`). */
  readonly id: string
  /** The payment that the refund should have returned. */
  readonly endToEndId: string
  readonly amountCents: Cents
  /** The key of a partial refund. */
  readonly key?: string
  /** The reason that the processor gives, in its words. */
  readonly reason: string
}

export interface EventRecurrence {
  readonly recurrenceId: RecurrenceId
  readonly contract: string
}

export interface EventCycleCharge {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly amountCents: Cents
}

interface OfPayment {
  readonly payment: EventPayment
}

interface OfRecurrence {
  readonly recurrence: EventRecurrence
}

interface OfCycle extends OfRecurrence {
  /** Counted from 1. */
  readonly cycle: number
}

/** The kinds of events and their fields. */
export interface EventFacts {
  readonly paid: OfPayment
  /** The whole payment of a charge went back. */
  readonly refunded: OfPayment
  /**
   * A refund failed: of a charge, a part, or a payment that settled no charge (then without `payment`). The money can still
   * go back, by a new request or an unanswered call; `refunded` then follows (decision 39).
   */
  readonly "refund-failed": Partial<OfPayment> & { readonly refund: EventRefund }
  readonly "recurrence-approved": OfRecurrence & {
    /**
     * The due date of the first chargeable cycle; absent without such a cycle. Earlier cycles are published as missed.
     */
    readonly firstDueDate?: LocalDate
  }
  readonly "recurrence-ended": OfRecurrence & { readonly end: Omit<RecurrenceEnd, "at"> }
  /** `recurrences.charge` can charge a cycle without a fixed amount until `chargeableUntil` (epoch milliseconds). */
  readonly "cycle-due": OfCycle & { readonly dueDate: LocalDate; readonly chargeableUntil: number }
  /** The payer's bank will debit a cycle's charge on this day. */
  readonly "payment-scheduled": OfCycle & { readonly charge: EventCycleCharge; readonly on: LocalDate }
  /** A cycle was not paid, and no attempt is under way. */
  readonly "payment-failed": OfCycle & {
    /** Absent if the cycle was missed. */
    readonly charge?: EventCycleCharge
    readonly on: LocalDate
    /**
     * `rejected`: a bank rejected the order, or refused the attempt of the day. `unpaid`: the day's attempts failed, or could
     * not be requested in time. `cancelled`: the payer or a bank cancelled the charge. `missed`: no charge was made in the cycle's window.
     */
    readonly reason: "rejected" | "unpaid" | "cancelled" | "missed"
    /** The bank's code, unchanged. */
    readonly code?: string
    /** Who cancelled it, if the bank says so. */
    readonly by?: EndedBy
    /** The deadline for requesting a new attempt, in epoch milliseconds; absent if no attempt is possible. */
    readonly mayRetryUntil?: number
    /** The day for which pixcharge requests the next attempt by itself, by `retryOn`; absent after the last. */
    readonly nextAttemptOn?: LocalDate
  }
  readonly test: object
}

export type EventKind = keyof EventFacts

/**
 * Who gets a kind. `all`: also endpoints without a list of kinds. `chosen`: endpoints that list the kind. `pinged`: the
 * tested endpoint.
 */
const audiences: Readonly<Record<EventKind, "all" | "chosen" | "pinged">> = {
  paid: "all",
  refunded: "chosen",
  "refund-failed": "chosen",
  "recurrence-approved": "chosen",
  "recurrence-ended": "chosen",
  "cycle-due": "chosen",
  "payment-scheduled": "chosen",
  "payment-failed": "chosen",
  test: "pinged",
}

export const eventKinds = Object.keys(audiences) as ReadonlyArray<EventKind>

/** The kinds of events that the host's own function gets. */
export const factKinds = eventKinds.filter((kind) => audiences[kind] !== "pinged")

/** The kinds of an endpoint without a list (decision 23). */
export const usualKinds = eventKinds.filter((kind) => audiences[kind] === "all")

/** Adds an absent `payment` to the other kinds: code can read `payment` of any event. */
type FactsOf<Kind extends EventKind> = "payment" extends keyof EventFacts[Kind]
  ? EventFacts[Kind]
  : EventFacts[Kind] & { readonly payment?: undefined }

/** One fact to publish (decision 23). */
export type PixEvent<Kind extends EventKind = EventKind> = {
  readonly [Each in Kind]: {
    /** The same in every retry: receivers recognise duplicates by it. Contains no `.` (Standard Webhooks). */
    readonly id: string
    readonly kind: Each
    readonly issuer: Cnpj
    readonly companyName: string
    /** Epoch milliseconds. */
    readonly occurredAt: number
  } & FactsOf<Each>
}[Kind]

export type ChargeEvent = PixEvent<"paid" | "refunded">

export type RecurrenceEvent = Extract<PixEvent, OfRecurrence>

export type TestEvent = PixEvent<"test">

/** An event as hosts get it, with instants also in ISO 8601 (UTC). */
export type PlainEvent<Kind extends EventKind = EventKind> = {
  readonly [Each in Kind]: WithIso<PixEvent<Each>>
}[Kind]

export const eventChargeId = (event: PixEvent): ChargeId | undefined =>
  "charge" in event ? event.charge?.chargeId : event.payment?.chargeId

export const eventRecurrence = ({
  id,
  contract,
}: {
  readonly id: RecurrenceId
  readonly contract: string
}): EventRecurrence => ({
  recurrenceId: id,
  contract,
})

/** Publishing a fact twice makes one event. */
export const recurrenceEventId = (
  { issuer, recurrenceId }: { readonly issuer: Cnpj; readonly recurrenceId: RecurrenceId },
  fact: string,
): string => `evt_${issuer}_${recurrenceId.replaceAll("-", "")}_${fact}`
