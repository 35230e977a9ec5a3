import type { WithIso } from "../../runtime/iso.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "../cycle/RecurrenceId.ts"
import type { CancelledBy } from "./Charge.ts"
import type { ChargeId, Txid } from "./ChargeId.ts"
import type { Payment, ReturnKind } from "./Payment.ts"
import type { ExceptionReason } from "./PaymentException.ts"
import type { ShopTexts } from "./ShopTexts.ts"

/** The payment of an event, without payer data (decision 25). Reference and metadata are its charge's. */
export interface EventPayment extends ShopTexts {
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

/** A return of less than the payment. */
export interface EventPart {
  /** The id at the processor (`devolucao.id`). */
  readonly id: string
  readonly amountCents: Cents
  /** The key of the partial refund; absent for any other return. */
  readonly key?: string
}

/** A payment that settled no charge, without payer data (decision 25). */
export interface EventException {
  readonly endToEndId: string
  readonly amountCents: Cents
  /** The charge that the payment names; absent if the company has no such charge. */
  readonly chargeId?: ChargeId
  readonly txid?: string
  readonly reason: ExceptionReason
}

export interface EventRecurrence {
  readonly recurrenceId: RecurrenceId
  readonly contract: string
}

export interface EventCharge extends ShopTexts {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly amountCents: Cents
}

interface OfPayment {
  readonly payment: EventPayment
}

interface OfCharge {
  readonly charge: EventCharge
}

interface OfException {
  readonly exception: EventException
}

interface OfReturn {
  /** The origin of the last return. */
  readonly returnKind: ReturnKind
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
  /** Bodies for endpoints with the default kinds lack `late` and `otherAmount`. */
  readonly paid: OfPayment & Partial<Pick<Payment, "late" | "otherAmount">>
  /** The whole payment of a charge went back. */
  readonly refunded: OfPayment & OfReturn
  readonly "part-refunded": OfPayment & OfReturn & { readonly part: EventPart }
  /**
   * A refund failed: of a charge, a part, or a payment that settled no charge (then without `payment`). The money can still
   * go back, by a new request or an unanswered call; `refunded` then follows (decision 39).
   */
  readonly "refund-failed": Partial<OfPayment> & { readonly refund: EventRefund }
  /**
   * The charge wasn't paid until `payableUntil`, its last moment to pay at the bank (epoch milliseconds). `paid` can follow: the
   * bank can report a payment later. Not for cycles' charges.
   */
  readonly expired: OfCharge & { readonly payableUntil: number }
  /** Not for cycles' charges. */
  readonly cancelled: OfCharge & { readonly by: CancelledBy }
  readonly exception: OfException
  readonly "exception-returned": OfException & OfReturn
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
  readonly "payment-scheduled": OfCycle & { readonly charge: EventCharge; readonly on: LocalDate }
  /** A cycle was not paid, and no attempt is under way. */
  readonly "payment-failed": OfCycle & {
    /** Absent if the cycle was missed. */
    readonly charge?: EventCharge
    readonly on: LocalDate
    /**
     * `rejected`: a bank rejected the order or the day's attempt. `unpaid`: the day's attempts failed or weren't requested in
     * time. `cancelled`: the payer or a bank cancelled the charge. `missed`: the cycle's window passed without a charge.
     */
    readonly reason: "rejected" | "unpaid" | "cancelled" | "missed"
    /** The bank's code, unchanged. */
    readonly code?: string
    /** Who cancelled it, if the bank says so. */
    readonly by?: EndedBy
    /** The deadline for requesting a new attempt, in epoch milliseconds; absent if no attempt is possible. */
    readonly mayRetryUntil?: number
    /** The day of the next attempt by `retryOn`; absent after the last. */
    readonly nextAttemptOn?: LocalDate
  }
  readonly test: object
}

export type EventKind = keyof EventFacts

/**
 * Who gets a kind. `all`: also endpoints without a list of kinds. `chosen`: endpoints that list it. `added`: the same, if the
 * instance publishes it. `pinged`: the tested endpoint.
 */
const audiences: Readonly<Record<EventKind, "all" | "chosen" | "added" | "pinged">> = {
  paid: "all",
  refunded: "chosen",
  "part-refunded": "added",
  "refund-failed": "chosen",
  expired: "added",
  cancelled: "added",
  exception: "added",
  "exception-returned": "added",
  "recurrence-approved": "chosen",
  "recurrence-ended": "chosen",
  "cycle-due": "chosen",
  "payment-scheduled": "chosen",
  "payment-failed": "chosen",
  test: "pinged",
}

export const eventKinds = Object.keys(audiences) as ReadonlyArray<EventKind>

/** A kind that an instance can publish. */
export type FactKind = Exclude<EventKind, "test">

/** All kinds that an instance can publish. */
export const factKinds = eventKinds.filter((kind): kind is FactKind => audiences[kind] !== "pinged")

/** The kinds that an instance publishes by default. */
export const defaultKinds = factKinds.filter((kind) => audiences[kind] !== "added")

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

export const eventChargeId = (event: PixEvent): ChargeId | undefined => {
  if ("exception" in event) return event.exception.chargeId
  return "charge" in event ? event.charge?.chargeId : event.payment?.chargeId
}

/** Events with one key are delivered in order: those about one charge, or about one payment without a charge. */
export const eventOrderKey = (event: PixEvent): string =>
  eventChargeId(event) ?? ("exception" in event ? event.exception.endToEndId.toLowerCase() : event.id)

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
