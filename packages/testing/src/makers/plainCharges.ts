import type {
  CancelledCharge,
  Charge,
  CycleCharge,
  PaidCharge,
  PendingCharge,
  RefundedCharge,
  RefundingCharge,
} from "@pixcharge/core/charges"
import { type PlainCharge, toPlainCharge } from "@pixcharge/embed"
import type { CancelFacts, ChargeFacts, CycleFacts, PaymentFacts, RefundFacts, ReturnFacts } from "./ChargeFacts.ts"
import * as made from "./charges.ts"

/** The plain charge at the time of its last move. */
const show = <C extends Charge>(charge: C): PlainCharge<C> => toPlainCharge(charge, charge.updatedAt)

/**
 * An unpaid charge, as `pix.find` shows it. All makers throw the core's error if the core refuses their facts.
 *
 * @example
 * const charge = aCharge({ amountCents: 5_000, dueDate: "2027-03-05" })
 */
export const aCharge = (facts?: ChargeFacts): PlainCharge<PendingCharge> => show(made.aCharge(facts))

/** An unpaid charge, just after it expired. */
export const anExpiredCharge = (facts?: ChargeFacts): PlainCharge<PendingCharge> => {
  const charge = made.anExpiredCharge(facts)
  return toPlainCharge(charge, charge.payableUntil + 1)
}

/** A cycle's charge whose debit failed at the payer's bank. */
export const aFailedCharge = (facts?: CycleFacts): PlainCharge<CycleCharge<PendingCharge>> =>
  show(made.aFailedCharge(facts))

export const aCancelledCharge = (facts?: ChargeFacts & CancelFacts): PlainCharge<CancelledCharge> =>
  show(made.aCancelledCharge(facts))

/**
 * A paid charge; by default paid in time, with the amount due.
 *
 * @example
 * const other = aPaidCharge({ amountCents: 5_000, payment: { amountCents: 4_000 } })
 */
export const aPaidCharge = (facts?: ChargeFacts & PaymentFacts): PlainCharge<PaidCharge> =>
  show(made.aPaidCharge(facts))

/** A paid charge whose refund the bank has not answered. */
export const aRefundingCharge = (facts?: ChargeFacts & RefundFacts): PlainCharge<RefundingCharge> =>
  show(made.aRefundingCharge(facts))

/** A charge whose whole payment was returned. */
export const aRefundedCharge = (facts?: ChargeFacts & ReturnFacts): PlainCharge<RefundedCharge> =>
  show(made.aRefundedCharge(facts))
