import type { LinkTerms } from "@pixcharge/core"

/** Links to the pages on which payers pay. */
export interface CheckoutLinks {
  /**
   * The address of the page of one charge, for its payer: everybody who has it sees what is to be paid and whether it was, and nothing
   * of the payer. It holds until `expiresAt`, in epoch milliseconds, a year after the charge's `watchUntil` at most. Rejects
   * with `ChargeNotFound` or `InvalidLink`; with `InvalidOption` without the option `checkout`.
   *
   * @example
   * const link = await pix.checkout.link("12345678000195", id, { expiresAt: pix.clock.now() + 86_400_000 })
   */
  readonly link: (issuer: string, id: string, terms: LinkTerms) => Promise<string>
}
