import { companyHolidays } from "@pixcharge/core"
import { brasiliaDate, brasiliaHour } from "@pixcharge/core/calendar"
import {
  amountDueOn,
  type CancelledCharge,
  type Charge,
  type CycleCharge,
  type PaidCharge,
  parsePaymentNotice,
  parseRefundReason,
  type PendingCharge,
  type RefundedCharge,
  type RefundingCharge,
} from "@pixcharge/core/charges"
import { bookPayment, type Command, decide, isAmountDueOn, type Transition } from "@pixcharge/core/internal"
import type { DebitView } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import {
  type CancelFacts,
  type ChargeFacts,
  checkFacts,
  checkMoment,
  type CycleFacts,
  type PaymentFacts,
  paymentFields,
  type RefundFacts,
  refundFields,
  type ReturnFacts,
} from "./ChargeFacts.ts"
import { makeCycle } from "./makeCycle.ts"
import { makeCompany, makeRequested } from "./makeRequested.ts"

const minuteMs = 60_000

export const applyCommand = (charge: Charge, command: Command, now: number): Transition =>
  Result.getOrThrow(decide(charge, command, now))

const move = <Tag extends Charge["_tag"]>(tag: Tag, charge: Charge, command: Command, now: number) => {
  const { next } = applyCommand(charge, command, now)
  if (next?._tag !== tag) throw new Error(`the core can't make a ${tag} charge from a ${charge._tag} one`)
  return next as Extract<Charge, { readonly _tag: Tag }>
}

const schedule = ({ cycle, createdAt, ...charge }: CycleCharge<PendingCharge>): PendingCharge => {
  const view: DebitView = { status: "active", attempts: [{ kind: "first", on: cycle.settlesOn, status: "scheduled" }] }
  return move("Pending", { ...charge, cycle, createdAt }, { _tag: "RecordDebit", view }, createdAt + minuteMs)
}

const make = (facts: ChargeFacts): PendingCharge =>
  facts.recurrence === undefined ? makeRequested(facts) : schedule(makeCycle(facts))

const pay = ({ payment = {}, ...facts }: ChargeFacts & PaymentFacts): PaidCharge => {
  const charge = make(facts)
  const { issuer, txid, id, cycle, updatedAt } = charge
  const usualAt = cycle === undefined ? updatedAt + minuteMs : brasiliaHour(cycle.settlesOn, 8)
  const paidAt = checkMoment("payment.paidAt", payment.paidAt ?? usualAt, updatedAt)
  const holidays = companyHolidays(makeCompany(facts.company))
  const day = brasiliaDate(paidAt)
  const minute = new Date(paidAt).toISOString().slice(0, 16).replaceAll(/[-T:]/g, "")
  const { amountCents = amountDueOn(charge, day, holidays).totalCents } = payment
  const { endToEndId = `E99999999${minute}${id.replaceAll("-", "").slice(-11)}` } = payment
  const notice = Result.getOrThrow(parsePaymentNotice({ issuer, txid, endToEndId, amountCents, paidAt }))
  const recordedAt = paidAt + 1_000
  const isAmountDue = isAmountDueOn(charge, day, notice.amountCents, holidays)
  const booked = bookPayment(charge, notice, { recordedAt, isAmountDue })
  return move("Paid", charge, { _tag: "ConfirmPayment", payment: booked }, recordedAt)
}

export const requestRefund = ({ refund = {}, ...facts }: ChargeFacts & RefundFacts): RefundingCharge => {
  const charge = pay(facts)
  const { updatedAt } = charge
  const requestedAt = checkMoment("refund.requestedAt", refund.requestedAt ?? updatedAt + 60 * minuteMs, updatedAt)
  const reason = refund.reason === undefined ? {} : { reason: Result.getOrThrow(parseRefundReason(refund.reason)) }
  return move("Refunding", charge, { _tag: "RequestRefund", ...reason }, requestedAt)
}

export const aCharge = (facts: ChargeFacts = {}): PendingCharge => {
  checkFacts("aCharge", facts)
  return make(facts)
}

/** An unpaid charge. It counts as expired after its `payableUntil`. */
export const anExpiredCharge = (facts: ChargeFacts = {}): PendingCharge => {
  checkFacts("anExpiredCharge", facts)
  return make(facts)
}

/** A cycle's charge whose debit failed at the payer's bank. */
export const aFailedCharge = (facts: CycleFacts = { recurrence: {} }): CycleCharge<PendingCharge> => {
  checkFacts("aFailedCharge", facts)
  const charge = makeCycle(facts)
  const { settlesOn: on } = charge.cycle
  const view: DebitView = { status: "expired", attempts: [{ kind: "first", on, status: "expired" }] }
  return { ...charge, ...move("Pending", charge, { _tag: "RecordDebit", view }, brasiliaHour(on, 21)) }
}

export const aCancelledCharge = ({ cancelledAt, ...facts }: ChargeFacts & CancelFacts = {}): CancelledCharge => {
  checkFacts("aCancelledCharge", facts)
  const charge = make(facts)
  const { updatedAt } = charge
  const now = checkMoment("cancelledAt", cancelledAt ?? updatedAt + minuteMs, updatedAt)
  const expected = charge.cycle === undefined ? move("Pending", charge, { _tag: "ExpectRemoval" }, now) : charge
  return move("Cancelled", expected, { _tag: "Cancel", by: "host" }, now)
}

export const aPaidCharge = (facts: ChargeFacts & PaymentFacts = {}): PaidCharge => {
  checkFacts("aPaidCharge", facts, paymentFields)
  return pay(facts)
}

/** A paid charge whose refund the bank has not answered. */
export const aRefundingCharge = (facts: ChargeFacts & RefundFacts = {}): RefundingCharge => {
  checkFacts("aRefundingCharge", facts, refundFields)
  return requestRefund(facts)
}

/** A charge whose whole payment was returned. */
export const aRefundedCharge = ({ refundedAt, ...facts }: ChargeFacts & ReturnFacts = {}): RefundedCharge => {
  checkFacts("aRefundedCharge", facts, refundFields)
  const charge = requestRefund(facts)
  const { updatedAt, refund, payment } = charge
  const returnedAt = checkMoment("refundedAt", refundedAt ?? updatedAt + minuteMs, updatedAt)
  const outcome = { _tag: "Returned", returnedAt } as const
  const { amountCents } = payment
  return move("Refunded", charge, { _tag: "FinishRefund", refundId: refund.id, amountCents, outcome }, returnedAt)
}
