import type { LinkTerms } from "@pixcharge/core"

/** Links to the pages on which payers pay and authorise. */
export interface CheckoutLinks {
  /**
   * The address of the page of one charge, for its payer: everybody who has it sees what is to be paid and whether it was, and
   * nothing of the payer besides the texts that the charge shows them. It holds until `expiresAt`, in epoch milliseconds: by default
   * for 30 days after the charge's `payableUntil`, or after today once that has passed, and at most for a year after `watchUntil`.
   * Rejects with `ChargeNotFound` or `InvalidLink`; with `ChargeWithoutPage` for the charge of a recurrence's cycle, which is debited;
   * with `InvalidOption` without the option `checkout`.
   *
   * @example
   * const link = await pix.checkout.link("12345678000195", id)
   */
  readonly link: (issuer: string, id: string, terms?: LinkTerms) => Promise<string>
  /**
   * The address of the page of one recurrence, on which its payer authorises it, and pays first where the journey has a payment. It
   * says nothing of the payer. It holds until `expiresAt`, in epoch milliseconds: by default for 30 days after today, and for a year
   * at most. Rejects with `InvalidRecurrenceId`, `RecurrenceNotFound` or `InvalidLink`; with `InvalidOption` without the option
   * `checkout`.
   *
   * @example
   * const link = await pix.checkout.recurrenceLink("12345678000195", id)
   */
  readonly recurrenceLink: (issuer: string, id: string, terms?: LinkTerms) => Promise<string>
}
