import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import type { CancelledBy, Charge } from "../../model/charge/Charge.ts"
import { type PartialRefund, type PartialRefundStatus, partialRefundStatus } from "../../model/charge/PartialRefund.ts"
import type { Payment, Return } from "../../model/charge/Payment.ts"
import type { PaymentException } from "../../model/charge/PaymentException.ts"
import type { Refund } from "../../model/charge/Refund.ts"
import { rowsOf, type TermsRow } from "../../model/charge/TermsRow.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { AuditRecord } from "../../ports/AuditLog.ts"
import type { DeliveryAttempt, DeliveryRecord } from "../../ports/Outbox.ts"

type StoryTerms = Pick<TermsRow, "amountCents" | "dueDate" | "payableUntil">

interface StoryChange {
  /** The number of the change's terms. */
  readonly number: number
  readonly by: NonNullable<TermsRow["by"]>
  readonly terms: StoryTerms
  /** The terms in force at its request. */
  readonly before: StoryTerms
}

/**
 * A step in a charge's story. `at` is in epoch milliseconds of business time; for `audit` in production, by the store's clock
 * (`AuditRecord.at`).
 */
export type StoryEntry = { readonly at: number } & (
  | { readonly kind: "issued"; readonly amountCents: Cents; readonly dueDate?: LocalDate }
  | ({ readonly kind: "changeRequested" } & StoryChange)
  /** The terms are in force. Terms by the bank have no request. */
  | ({ readonly kind: "changed" } & StoryChange)
  /** `rejection` is the processor's text. */
  | ({ readonly kind: "changeRefused"; readonly rejection?: string } & StoryChange)
  /** The charge's `payableUntil` passed without a payment. It can have been paid later. */
  | { readonly kind: "expired" }
  | { readonly kind: "cancelled"; readonly by?: CancelledBy }
  | { readonly kind: "payerErased" }
  /** The payment that settled the charge. */
  | { readonly kind: "paid"; readonly payment: Payment }
  /** A payment that didn't settle the charge, at the time of the payment. */
  | { readonly kind: "exception"; readonly exception: PaymentException }
  /** Last requested refund of an exception. `reason` is the company's; `rejection` is the processor's text after a failure. */
  | {
      readonly kind: "exceptionRefund"
      readonly endToEndId: string
      readonly status: PartialRefundStatus
      readonly reason?: string
      readonly rejection?: string
    }
  | { readonly kind: "exceptionResolved"; readonly endToEndId: string; readonly note: string }
  /** Last requested refund of the whole payment, with texts like `exceptionRefund`. */
  | {
      readonly kind: "refund"
      readonly amountCents: Cents
      readonly status: PartialRefundStatus
      readonly reason?: string
      readonly rejection?: string
    }
  | { readonly kind: "partialRefund"; readonly partialRefund: PartialRefund; readonly status: PartialRefundStatus }
  /** A return of the charge's payment or of an exception. */
  | { readonly kind: "return"; readonly returned: Return }
  /** The charge's whole payment was returned. */
  | { readonly kind: "refunded" }
  /** An event for one endpoint, at the time of the event. */
  | { readonly kind: "event"; readonly delivery: DeliveryRecord }
  | {
      readonly kind: "attempt"
      readonly eventId: string
      readonly endpointId: string
      readonly attempt: DeliveryAttempt
    }
  | { readonly kind: "audit"; readonly record: AuditRecord }
)

export interface Story {
  readonly charge: Charge
  /** Oldest first. */
  readonly entries: ReadonlyArray<StoryEntry>
  /** A limit cut off the latest exceptions, or the oldest deliveries, attempts or records. */
  readonly isCut: boolean
}

export interface StoryParts {
  readonly charge: Charge
  readonly exceptions: ReadonlyArray<PaymentException>
  readonly deliveries: ReadonlyArray<{
    readonly delivery: DeliveryRecord
    readonly attempts: ReadonlyArray<DeliveryAttempt>
  }>
  readonly records: ReadonlyArray<AuditRecord>
}

const reasonField = ({ reason }: Pick<Refund, "reason">) => (reason === undefined ? {} : { reason })

const refundEntries = (charge: Charge): ReadonlyArray<StoryEntry> => {
  if (!("payment" in charge)) return []
  const { amountCents } = charge.payment
  switch (charge._tag) {
    case "Paid": {
      const { failedRefund } = charge
      if (failedRefund === undefined) return []
      const { requestedAt, rejection } = failedRefund
      return [
        { kind: "refund", at: requestedAt, amountCents, status: "failed", ...reasonField(failedRefund), rejection },
      ]
    }
    case "Refunding":
      return [
        {
          kind: "refund",
          at: charge.refund.requestedAt,
          amountCents,
          status: "refunding",
          ...reasonField(charge.refund),
        },
      ]
    case "Refunded": {
      const { refund, refundedAt } = charge
      const requested: ReadonlyArray<StoryEntry> = refund
        ? [{ kind: "refund", at: refund.requestedAt, amountCents, status: "returned", ...reasonField(refund) }]
        : []
      return [...requested, { kind: "refunded", at: refundedAt }]
    }
  }
}

const storyTerms = ({ amountCents, dueDate, payableUntil }: TermsRow): StoryTerms => ({
  amountCents,
  payableUntil,
  ...(dueDate !== undefined && { dueDate }),
})

const changeEntries = (rows: ReadonlyArray<TermsRow>, row: TermsRow): ReadonlyArray<StoryEntry> => {
  const { number, by, requestedAt, inForceAt, refusedAt, rejection } = row
  if (by === undefined) return []
  // The first terms are in force from the creation, by the processor's clock.
  const isBefore = (one: TermsRow) =>
    one.number < number && (one.number === 1 || (one.inForceAt ?? Infinity) <= requestedAt)
  const change = { number, by, terms: storyTerms(row), before: storyTerms(rows.findLast(isBefore) ?? row) }
  return [
    ...(by === "bank" ? [] : [{ kind: "changeRequested" as const, at: requestedAt, ...change }]),
    ...(inForceAt === undefined ? [] : [{ kind: "changed" as const, at: inForceAt, ...change }]),
    ...(refusedAt === undefined
      ? []
      : [{ kind: "changeRefused" as const, at: refusedAt, ...change, ...(rejection !== undefined && { rejection }) }]),
  ]
}

const hasExpiredUnpaid = (charge: Charge, now: number): boolean => {
  const endedAt = "payment" in charge ? charge.payment.paidAt : charge._tag === "Cancelled" ? charge.cancelledAt : now
  return charge.payableUntil < endedAt
}

const chargeEntries = (charge: Charge, now: number): ReadonlyArray<StoryEntry> => {
  const { createdAt, payableUntil, payerErasedAt, partialRefunds = [], returns } = charge
  const rows = rowsOf(charge)
  const { amountCents, dueDate } = rows[0] ?? charge
  const entries: Array<StoryEntry> = [
    { kind: "issued", at: createdAt, amountCents, ...(dueDate !== undefined && { dueDate }) },
    ...rows.flatMap((row) => changeEntries(rows, row)),
  ]
  if (hasExpiredUnpaid(charge, now)) entries.push({ kind: "expired", at: payableUntil })
  if ("payment" in charge) entries.push({ kind: "paid", at: charge.payment.paidAt, payment: charge.payment })
  if (charge._tag === "Cancelled") {
    const { cancelledAt, cancelledBy: by } = charge
    entries.push({ kind: "cancelled", at: cancelledAt, ...(by !== undefined && { by }) })
  }
  if (payerErasedAt !== undefined) entries.push({ kind: "payerErased", at: payerErasedAt })
  for (const partialRefund of partialRefunds) {
    const status = partialRefundStatus(partialRefund, returns)
    entries.push({ kind: "partialRefund", at: partialRefund.requestedAt, partialRefund, status })
  }
  const refunds = refundEntries(charge)
  entries.push(...refunds.filter(({ kind }) => kind === "refund"))
  for (const returned of returns) entries.push({ kind: "return", at: returned.returnedAt, returned })
  return [...entries, ...refunds.filter(({ kind }) => kind === "refunded")]
}

const exceptionEntries = (exception: PaymentException): ReadonlyArray<StoryEntry> => {
  const { payment, state, returns } = exception
  const { endToEndId } = payment
  const entries: Array<StoryEntry> = [{ kind: "exception", at: payment.paidAt, exception }]
  if (state._tag === "Resolved") {
    entries.push({ kind: "exceptionResolved", at: state.resolvedAt, endToEndId, note: state.note })
  }
  if (state._tag === "Refunding") {
    const { refund } = state
    entries.push({
      kind: "exceptionRefund",
      at: refund.requestedAt,
      endToEndId,
      status: "refunding",
      ...reasonField(refund),
    })
  }
  if (state._tag === "Open" && state.failedRefund !== undefined) {
    const { requestedAt, rejection } = state.failedRefund
    const reason = reasonField(state.failedRefund)
    entries.push({ kind: "exceptionRefund", at: requestedAt, endToEndId, status: "failed", ...reason, rejection })
  }
  for (const returned of returns) entries.push({ kind: "return", at: returned.returnedAt, returned })
  return entries
}

/** Oldest first; entries of one time are in their logical order. */
export const storyEntries = (
  { charge, exceptions, deliveries, records }: StoryParts,
  now: number,
): ReadonlyArray<StoryEntry> =>
  [
    // A request comes before its effect.
    ...records.map((record): StoryEntry => ({ kind: "audit", at: record.at, record })),
    ...chargeEntries(charge, now),
    ...exceptions.flatMap(exceptionEntries),
    ...deliveries.flatMap(({ delivery, attempts }): ReadonlyArray<StoryEntry> => {
      const { event, endpointId } = delivery
      return [
        { kind: "event", at: event.occurredAt, delivery },
        ...attempts.map((attempt): StoryEntry => ({
          kind: "attempt",
          at: attempt.startedAt,
          eventId: event.id,
          endpointId,
          attempt,
        })),
      ]
    }),
  ].toSorted((a, b) => a.at - b.at)
