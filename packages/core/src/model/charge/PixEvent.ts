import type { WithIso } from "../../runtime/iso.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "../cycle/RecurrenceId.ts"
import type { ChargeId, Txid } from "./ChargeId.ts"

/** The payment of an event. Never with payer data (decision 25). */
export interface EventPayment {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Which cycle was paid, counted from 1. Known in the process alone: the bodies of `pix.pago` and `pix.estornado` have no such field. */
  readonly cycle?: EventRecurrence & { readonly cycle: number }
}

/** A refund that the processor did not carry out. */
export interface EventRefund {
  /** At the processor (`devolucao.id`). */
  readonly id: string
  /** The payment that it was to return. */
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Of a part, the key under which it was asked for. */
  readonly key?: string
  /** Why, in the processor's own words. */
  readonly reason: string
}

/** The recurrence that an event is about. */
export interface EventRecurrence {
  readonly recurrenceId: RecurrenceId
  readonly contract: string
}

/** The cycle's charge that an event is about. */
export interface EventCycleCharge {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly amountCents: Cents
}

/** The payment of a charge. */
interface OfPayment {
  readonly payment: EventPayment
}

/** A recurrence. */
interface OfRecurrence {
  readonly recurrence: EventRecurrence
}

/** A cycle of a recurrence, counted from 1. */
interface OfCycle extends OfRecurrence {
  readonly cycle: number
}

/** The kinds of events, each with what it says besides its company and its moment. All that has to know a kind follows from here. */
export interface EventFacts {
  /** A charge was paid. */
  readonly paid: OfPayment
  /** The money of a charge went back, all of it. */
  readonly refunded: OfPayment
  /**
   * A refund failed: of a charge, of a part, or of a payment that settled none, which then has no `payment`. The money may go back
   * all the same, once it is asked for again or by a call without an answer: `refunded` says so (decision 39).
   */
  readonly "refund-failed": Partial<OfPayment> & { readonly refund: EventRefund }
  /** The payer has authorised a recurrence. */
  readonly "recurrence-approved": OfRecurrence & {
    /** When the first cycle is due that can be charged; absent where none is left. Those before it are told as missed. */
    readonly firstDueDate?: LocalDate
  }
  /** A recurrence is over: declined, expired, refused by the bank, or ended by somebody. */
  readonly "recurrence-ended": OfRecurrence & { readonly end: Omit<RecurrenceEnd, "at"> }
  /** A cycle of a recurrence without a fixed amount can be charged: by `recurrences.charge`, until `chargeableUntil` in epoch milliseconds. */
  readonly "cycle-due": OfCycle & { readonly dueDate: LocalDate; readonly chargeableUntil: number }
  /** The payer's bank will debit a cycle's charge on this day. */
  readonly "payment-scheduled": OfCycle & { readonly charge: EventCycleCharge; readonly on: LocalDate }
  /** A cycle was not paid, and no attempt is under way. Why a payer had no money is never told. */
  readonly "payment-failed": OfCycle & {
    /** Absent where the cycle has none: it was missed. */
    readonly charge?: EventCycleCharge
    /** The day of the attempt. */
    readonly on: LocalDate
    /**
     * `rejected`: the payer's bank took no order. `unpaid`: the day's attempts brought nothing. `cancelled`: the payer or a bank
     * took the charge back. `missed`: no charge was made in the cycle's window.
     */
    readonly reason: "rejected" | "unpaid" | "cancelled" | "missed"
    /** The bank's code, as it is. */
    readonly code?: string
    /** Who cancelled it, where that is shown. */
    readonly by?: EndedBy
    /** Until when a new attempt can be asked for, in epoch milliseconds; absent where none can. */
    readonly mayRetryUntil?: number
  }
  /** An endpoint is tried out: nothing happened to a charge. */
  readonly test: object
}

/** What an event tells of. */
export type EventKind = keyof EventFacts

/** Who gets a kind: every endpoint, unless it names its kinds (`all`); endpoints that name it (`chosen`); the one that is tried out (`pinged`). */
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

/** Every kind. */
export const eventKinds = Object.keys(audiences) as ReadonlyArray<EventKind>

/** The kinds that tell of a fact: what the host's own function gets. */
export const factKinds = eventKinds.filter((kind) => audiences[kind] !== "pinged")

/** The kinds of an endpoint that names none (decision 23). */
export const usualKinds = eventKinds.filter((kind) => audiences[kind] === "all")

/** What a kind says; one without a payment says so, for readers of any event. */
type FactsOf<Kind extends EventKind> = "payment" extends keyof EventFacts[Kind]
  ? EventFacts[Kind]
  : EventFacts[Kind] & { readonly payment?: undefined }

/** One fact to be published, the same however often it is sent (decision 23). */
export type PixEvent<Kind extends EventKind = EventKind> = {
  readonly [Each in Kind]: {
    /** Never changes over retries, so that a receiver can recognise what it has. Holds no `.` (Standard Webhooks). */
    readonly id: string
    readonly kind: Each
    readonly issuer: Cnpj
    readonly companyName: string
    /** Epoch milliseconds. */
    readonly occurredAt: number
  } & FactsOf<Each>
}[Kind]

/** A charge was paid or refunded. */
export type ChargeEvent = PixEvent<"paid" | "refunded">

/** Something happened to a recurrence or one of its cycles. */
export type RecurrenceEvent = Extract<PixEvent, OfRecurrence>

/** An endpoint is tried out. */
export type TestEvent = PixEvent<"test">

/** An event as hosts and receivers get it: its instants in ISO 8601, in UTC, besides. */
export type PlainEvent<Kind extends EventKind = EventKind> = {
  readonly [Each in Kind]: WithIso<PixEvent<Each>>
}[Kind]

/** The charge that an event is about, whether it was paid or its debit went on. */
export const eventChargeId = (event: PixEvent): ChargeId | undefined =>
  "charge" in event ? event.charge?.chargeId : event.payment?.chargeId

/** A recurrence as events name it. */
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

/** The id of a recurrence's event: it follows from the recurrence and what happened, so that the same fact is the same event. */
export const recurrenceEventId = (
  { issuer, recurrenceId }: { readonly issuer: Cnpj; readonly recurrenceId: RecurrenceId },
  fact: string,
): string => `evt_${issuer}_${recurrenceId.replaceAll("-", "")}_${fact}`
