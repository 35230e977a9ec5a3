import type { PlainCharge } from "@pixcharge/embed"

export interface Lateness {
  /**
   * A whole number from 1. With a due date: calendar days in Brasília after the business day to which the due date moves. For
   * an immediate charge: periods of 24 h after it expired.
   */
  readonly days: number
}

export interface OutsideReturn {
  /** Integer cents; by default the rest of the payment. */
  readonly amountCents: number
}

/**
 * The actions of payer and bank on a charge of the test's company. Each promise resolves with the charge after its events
 * are delivered to `onEvent` and the receivers.
 *
 * Each promise rejects with `ChargeNotFound` if the company has no such charge, with an error that names the right call if the
 * charge is in another state, and with the error of `onEvent` if that fails; the event is repeated when the clock is advanced.
 */
export interface ChargePlay {
  /** The payer pays the amount due now, with any cents. */
  readonly pay: (id: string) => Promise<PlainCharge>
  /**
   * The payer pays late, with that day's fine and interest, or after the charge expired: `payment.late`. The clock moves to
   * the time of the payment, or to noon of the day if the charge has a due date.
   *
   * @example
   * const { payment } = await pix.payLate(id, { days: 3 })
   */
  readonly payLate: (id: string, lateness: Lateness) => Promise<PlainCharge>
  /**
   * The payer pays twice, or pays a paid charge again. The second payment settles nothing and is listed by `pix.exceptions`.
   */
  readonly payTwice: (id: string) => Promise<PlainCharge>
  /** The payer doesn't pay: the clock moves to the minute after the bank's last moment to pay, when `expired` is published. */
  readonly expire: (id: string) => Promise<PlainCharge>
  /**
   * The bank returns money of a paid charge without our order, as in its portal or for a dispute, and pixcharge finds the
   * return.
   */
  readonly refundOutside: (id: string, returned?: OutsideReturn) => Promise<PlainCharge>
}
