import type { PlainCharge } from "@pixcharge/embed"

/** How late a payment is. */
export interface Lateness {
  /**
   * A whole number from 1. Calendar days in Brasília after the business day to which the due date moves; for an immediate
   * charge, times 24 h after it expired.
   */
  readonly days: number
}

/** How much money goes back. */
export interface OutsideReturn {
  /** Integer cents; by default all that is left of the payment. */
  readonly amountCents: number
}

/**
 * What happens to a charge of the test's company without its host: its payer and the bank do it. When a promise is resolved
 * the charge is as it answers, and what followed is done, too: events are delivered, and `onEvent` and receivers have taken
 * them.
 *
 * Each rejects with `ChargeNotFound` for a charge that the company doesn't have, with an error that says which call fits for
 * one in another state, and with the error of `onEvent` if that fails; the event comes again when the clock is advanced.
 */
export interface ChargePlay {
  /** The payer pays what is due now, whatever the cents of the amount. */
  readonly pay: (id: string) => Promise<PlainCharge>
  /**
   * The payer pays so much too late, with the fine and the interest of that day, or after the charge expired: `payment.late`.
   * The clock moves on to that moment: to noon of the day, if the charge has a due date.
   *
   * @example
   * const { payment } = await pix.payLate(id, { days: 3 })
   */
  readonly payLate: (id: string, lateness: Lateness) => Promise<PlainCharge>
  /**
   * The payer pays twice, or once more what is paid already. The second payment settles nothing: it is one of
   * `pix.exceptions`.
   */
  readonly payTwice: (id: string) => Promise<PlainCharge>
  /** Nobody pays: the clock moves on to when the charge has just expired. */
  readonly expire: (id: string) => Promise<PlainCharge>
  /** The bank returns money of a paid charge by no order of ours, as in its portal or for a dispute, and it is found out. */
  readonly refundOutside: (id: string, returned?: OutsideReturn) => Promise<PlainCharge>
}
