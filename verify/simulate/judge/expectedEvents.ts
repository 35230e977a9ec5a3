import type { CancelledBy, CancelledCharge, Charge, EventKind, Return } from "@pixcharge/core/charges"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { SettledCharge } from "./money.ts"
import { partFamily, refundFamily } from "./names.ts"

export interface SeenFacts {
  readonly charge: Charge
  /** The charge's last payable moment at the bank. */
  readonly payableUntil: number
  /** Who can have cancelled the charge. */
  readonly cancelledBy: ReadonlyArray<CancelledBy>
  /** True if the store can have lost the charge's refunds. */
  readonly isForgotten: boolean
  /** The payments that restored books can have published as the charge's before its own. */
  readonly mistaken: ReadonlyArray<LedgerPayment>
}

export interface Expected {
  readonly kind: EventKind
  /** Each fact is a field of the event, or a list of the values that it can have. The id follows from company and fact (decision 23). */
  readonly facts: Readonly<Record<string, unknown>>
  /** True if the fact can be older than the judged state, so its event can be missing. */
  readonly isOptional: boolean
}

const dayMs = 86_400_000

const eventId = ({ issuer, id }: Charge, fact: string): string => `evt_${issuer}_${id.replaceAll("-", "")}_${fact}`

const clockToleranceMs = 60_000

type Terms = Pick<Charge, "amountCents" | "reference" | "metadata">

const inForce = ({ termsRows = [] }: Charge) => termsRows.filter(({ inForceAt }) => inForceAt !== undefined)

/** The terms that an event of this time can have: a requested change can end after its charge. */
const termsAt = (charge: Charge, at: number): ReadonlyArray<Terms> => [
  charge,
  ...inForce(charge).filter((_, index, rows) => (rows[index + 1]?.inForceAt ?? Infinity) > at - clockToleranceMs),
]

const chargeFacts = ({ id: chargeId, txid }: Charge, terms: ReadonlyArray<Terms>) =>
  terms.map(({ amountCents, reference, metadata }) => ({ chargeId, txid, amountCents, reference, metadata }))

const paymentFacts = (
  charge: SettledCharge,
  { endToEndId, amountCents }: Pick<LedgerPayment, "endToEndId" | "amountCents">,
) =>
  termsAt(charge, charge.payment.recordedAt).map(({ reference, metadata }) => ({
    chargeId: charge.id,
    txid: charge.txid,
    endToEndId,
    amountCents,
    reference,
    metadata,
  }))

/** The last return of a payment. Several can have the same time. */
export const lastReturn = (endToEndId: string, returns: ReadonlyArray<Return>) => {
  const its = returns.filter((row) => row.endToEndId === endToEndId)
  const occurredAt = Math.max(...its.map(({ returnedAt }) => returnedAt))
  return { occurredAt, returnKind: its.filter((row) => row.returnedAt === occurredAt).map(({ kind }) => kind) }
}

const partRefunded = (charge: SettledCharge, row: Return, isForgotten: boolean): Expected => {
  const { id, amountCents, kind: returnKind, returnedAt: occurredAt, endToEndId } = row
  const key = charge.partialRefunds?.find((part) => partFamily(endToEndId, part.key) === refundFamily(id))?.key
  return {
    kind: "part-refunded",
    facts: {
      id: eventId(charge, `${id.toLowerCase()}_part-refunded`),
      occurredAt,
      returnKind,
      part: { id, amountCents, key: isForgotten ? [key, undefined] : key },
    },
    isOptional: false,
  }
}

const settledEvents = (charge: SettledCharge, isForgotten: boolean): ReadonlyArray<Expected> => {
  const { payment, returns } = charge
  const { endToEndId, amountCents, paidAt, late, otherAmount } = payment
  const facts = { payment: paymentFacts(charge, payment) }
  const paid: Expected = {
    kind: "paid",
    facts: {
      ...facts,
      id: eventId(charge, "paid"),
      occurredAt: paidAt,
      late,
      otherAmount,
    },
    // If a payment was returned before it became known, only the refund has an event.
    isOptional: charge._tag === "Refunded",
  }
  const refunded: Expected = {
    kind: "refunded",
    facts: { ...facts, id: eventId(charge, "refunded"), ...lastReturn(endToEndId, returns) },
    isOptional: false,
  }
  // During a refund of ours, parts aren't published yet: receivers get `paid` first if it fails (decision 23).
  const parts = returns.filter(
    (row) => charge._tag !== "Refunding" && row.endToEndId === endToEndId && row.amountCents < amountCents,
  )
  return [
    paid,
    ...parts.map((row) => partRefunded(charge, row, isForgotten)),
    ...(charge._tag === "Refunded" ? [refunded] : []),
  ]
}

const mistakenEvent = (charge: SettledCharge, payment: LedgerPayment): Expected => ({
  kind: "paid",
  facts: { id: eventId(charge, "paid"), occurredAt: payment.paidAt, payment: paymentFacts(charge, payment) },
  isOptional: true,
})

/**
 * Optional, because only a look-up shows that a charge has expired. It has terms that were in force then, and the end of the
 * longest terms until then; the bank's staff can change the charge later.
 */
export const expiredEvent = (charge: Charge, payableUntil: number): Expected => {
  const { termsRows = [] } = charge
  const terms = [charge, ...inForce(charge)]
  const until = [payableUntil, ...termsRows.map((row) => row.watchUntil - dayMs)]
  return {
    kind: "expired",
    facts: {
      charge: chargeFacts(charge, terms),
      id: eventId(charge, "expired"),
      occurredAt: until,
      payableUntil: until,
    },
    isOptional: true,
  }
}

const cancelledEvent = (charge: CancelledCharge, cancelledBy: SeenFacts["cancelledBy"]): Expected => ({
  kind: "cancelled",
  facts: {
    charge: chargeFacts(charge, termsAt(charge, charge.cancelledAt)),
    id: eventId(charge, "cancelled"),
    by: cancelledBy.filter((one) => one === charge.cancelledBy),
  },
  isOptional: false,
})

/** The events of a charge, except of failed refunds, which can be about any attempt. */
export const expectedEvents = ({
  charge,
  payableUntil,
  cancelledBy,
  isForgotten,
  mistaken,
}: SeenFacts): ReadonlyArray<Expected> => [
  expiredEvent(charge, payableUntil),
  ...(charge._tag === "Cancelled" ? [cancelledEvent(charge, cancelledBy)] : []),
  ...("payment" in charge ? settledEvents(charge, isForgotten) : []),
  ...("payment" in charge ? mistaken.map((one) => mistakenEvent(charge, one)) : []),
]
