import type { LinkTerms } from "@pixcharge/core"

/** Links to the pages on which payers pay. */
export interface CheckoutLinks {
  /**
   * The address of the page of one charge, for its payer: everybody who has it sees what is to be paid and whether it was, and
   * nothing of the payer besides the texts that the charge shows them. It holds until `expiresAt`, in epoch milliseconds: by default
   * for 30 days after the charge's `payableUntil`, or after today once that has passed, and at most for a year after `watchUntil`.
   * Rejects with `ChargeNotFound` or `InvalidLink`; with `InvalidOption` without the option `checkout`.
   *
   * @example
   * const link = await pix.checkout.link("12345678000195", id)
   */
  readonly link: (issuer: string, id: string, terms?: LinkTerms) => Promise<string>
}
