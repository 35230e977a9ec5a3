import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { EndedBy, RecurrenceEnd, RecurrenceId } from "../cycle/RecurrenceId.ts"
import type { Charge, PaidCharge, RefundedCharge } from "./Charge.ts"
import type { ChargeId, Txid } from "./ChargeId.ts"

const recurrenceKinds = [
  "recurrence-approved",
  "recurrence-ended",
  "cycle-due",
  "payment-scheduled",
  "payment-failed",
] as const

/** What an event says of a recurrence and its cycles. */
export type RecurrenceEventKind = (typeof recurrenceKinds)[number]

/** The kinds of events that tell of a fact: all but `test`. */
export const factKinds = ["paid", "refunded", "refund-failed", ...recurrenceKinds] as const

/** What an event says: a charge was paid, it was refunded, a refund failed, something of a recurrence, or (test) that an endpoint can be reached. */
export type EventKind = (typeof factKinds)[number] | "test"

/** The payment of an event. Never with payer data (decision 25). */
export interface EventPayment {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Which cycle was paid, counted from 1. Known in the process alone: the bodies of `pix.pago` and `pix.estornado` have no such field. */
  readonly cycle?: EventRecurrence & { readonly cycle: number }
}

interface EventFacts {
  /** Never changes over retries, so that a receiver can recognise what it has. Holds no `.` (Standard Webhooks). */
  readonly id: string
  readonly issuer: Cnpj
  readonly companyName: string
  /** Epoch milliseconds. */
  readonly occurredAt: number
}

interface EventWith<Kind extends EventKind> extends EventFacts {
  readonly kind: Kind
  readonly payment: EventPayment
}

/** A charge was paid or refunded. */
export type ChargeEvent = EventWith<"paid"> | EventWith<"refunded">

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

/**
 * A refund failed: of a charge, of a part, or of a payment that settled none, which then has no `payment`. The money may go back all
 * the same, once it is asked for again or by a call without an answer: `refunded` says so (decision 39).
 */
export interface RefundFailedEvent extends EventFacts {
  readonly kind: "refund-failed"
  readonly refund: EventRefund
  /** The charge's, absent for an exception. */
  readonly payment?: EventPayment
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

interface RecurrenceFacts<Kind extends RecurrenceEventKind> extends EventFacts {
  readonly kind: Kind
  readonly recurrence: EventRecurrence
  readonly payment?: undefined
}

/** The payer has authorised a recurrence. */
export interface RecurrenceApprovedEvent extends RecurrenceFacts<"recurrence-approved"> {
  /** When the first cycle is due that can be charged; absent where none is left. Those before it are told as missed. */
  readonly firstDueDate?: LocalDate
}

/** A recurrence is over: declined, expired, refused by the bank, or ended by somebody. */
export interface RecurrenceEndedEvent extends RecurrenceFacts<"recurrence-ended"> {
  readonly end: Omit<RecurrenceEnd, "at">
}

/** A cycle of a recurrence without a fixed amount can be charged: by `recurrences.charge`, until `chargeableUntil` in epoch milliseconds. */
export interface CycleDueEvent extends RecurrenceFacts<"cycle-due"> {
  /** Counted from 1. */
  readonly cycle: number
  readonly dueDate: LocalDate
  readonly chargeableUntil: number
}

/** The payer's bank will debit a cycle's charge on this day. */
export interface PaymentScheduledEvent extends RecurrenceFacts<"payment-scheduled"> {
  readonly cycle: number
  readonly charge: EventCycleCharge
  readonly on: LocalDate
}

/** A cycle was not paid, and no attempt is under way. Why a payer had no money is never told. */
export interface PaymentFailedEvent extends RecurrenceFacts<"payment-failed"> {
  readonly cycle: number
  /** Absent where the cycle has none: it was missed. */
  readonly charge?: EventCycleCharge
  /**
   * `rejected`: the payer's bank took no order. `unpaid`: the day's attempts brought nothing. `cancelled`: the payer or a bank
   * took the charge back. `missed`: no charge was made in the cycle's window.
   */
  readonly reason: "rejected" | "unpaid" | "cancelled" | "missed"
  /** The day of the attempt. */
  readonly on: LocalDate
  /** The bank's code, as it is. */
  readonly code?: string
  /** Who cancelled it, where that is shown. */
  readonly by?: EndedBy
  /** Until when a new attempt can be asked for, in epoch milliseconds; absent where none can. */
  readonly mayRetryUntil?: number
}

/** Something happened to a recurrence or one of its cycles. */
export type RecurrenceEvent =
  | RecurrenceApprovedEvent
  | RecurrenceEndedEvent
  | CycleDueEvent
  | PaymentScheduledEvent
  | PaymentFailedEvent

/** An endpoint is tried out: nothing happened to a charge. */
export interface TestEvent extends EventFacts {
  readonly kind: "test"
  readonly payment?: undefined
}

/** One fact to be published, the same however often it is sent (decision 23). */
export type PixEvent = ChargeEvent | RefundFailedEvent | RecurrenceEvent | TestEvent

/** An event as hosts and receivers get it: its instants in ISO 8601, in UTC, besides. */
export type PlainEvent<Event extends PixEvent = PixEvent> = Event extends PixEvent
  ? Event & { readonly occurredAtIso: string } & (Event extends CycleDueEvent
        ? { readonly chargeableUntilIso: string }
        : unknown) &
      (Event extends PaymentFailedEvent ? { readonly mayRetryUntilIso?: string } : unknown)
  : never

/**
 * An event's id follows from issuer, charge and kind alone: publishing the same fact again is the same event, also where the
 * charge was issued once more after its books were lost.
 */
export const chargeEventId = ({ issuer, id }: Pick<Charge, "issuer" | "id">, kind: ChargeEvent["kind"]): string =>
  `evt_${issuer}_${id.replaceAll("-", "")}_${kind}`

/** The event of a move into paid or refunded. */
export const chargeEvent = (charge: PaidCharge | RefundedCharge, companyName: string): ChargeEvent => {
  const kind = charge._tag === "Paid" ? "paid" : "refunded"
  const { cycle } = charge
  return {
    id: chargeEventId(charge, kind),
    kind,
    issuer: charge.issuer,
    companyName,
    occurredAt: charge._tag === "Paid" ? charge.payment.paidAt : charge.refundedAt,
    payment: {
      chargeId: charge.id,
      txid: charge.txid,
      endToEndId: charge.payment.endToEndId,
      amountCents: charge.payment.amountCents,
      ...(cycle && { cycle: { recurrenceId: cycle.recurrenceId, contract: cycle.contract, cycle: cycle.cycle } }),
    },
  }
}

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
