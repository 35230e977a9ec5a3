import { type Checkout, InvalidOption, type LinkTerms } from "@pixcharge/core"
import { anObject, type FieldsOf } from "@pixcharge/core/internal"
import { parseRecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import { checkFields } from "./checkFields.ts"
import type { Calls } from "./calls.ts"

/** Links to the pages where payers pay and authorise. */
export interface CheckoutLinks {
  /**
   * The address of a charge's page. Send it to the payer. Everyone with the address sees the amount and whether it was paid; of
   * the payer's data they see only what the charge's texts contain. `expiresAt` is in epoch milliseconds: by default 30 days
   * after the charge's `payableUntil`, or 30 days from now once that has passed; at most a year after `watchUntil`. Rejects
   * with `ChargeNotFound` or `InvalidLink`; with `ChargeWithoutPage` for a cycle's charge, because the bank debits it; with
   * `InvalidOption` without the option `checkout`.
   *
   * @example
   * const link = await pix.checkout.link("12345678000195", id)
   */
  readonly link: (issuer: string, id: string, terms?: LinkTerms) => Promise<string>
  /**
   * The address of the page where a payer authorises a recurrence, and pays first if the journey includes a payment. It shows
   * no data of the payer. `expiresAt` is in epoch milliseconds: by default 30 days from now, at most a year. Rejects with
   * `InvalidRecurrenceId`, `RecurrenceNotFound` or `InvalidLink`; with `InvalidOption` without the option `checkout`.
   *
   * @example
   * const link = await pix.checkout.recurrenceLink("12345678000195", id)
   */
  readonly recurrenceLink: (issuer: string, id: string, terms?: LinkTerms) => Promise<string>
}

const linkFields: FieldsOf<LinkTerms> = { expiresAt: true }

const checkTerms = (call: keyof CheckoutLinks, terms: unknown): Effect.Effect<void, InvalidOption> =>
  anObject.holds(terms)
    ? checkFields(`checkout.${call}(issuer, id, terms)`, terms, linkFields)
    : Effect.fail(
        new InvalidOption({
          message: `checkout.${call}(issuer, id, { expiresAt }): terms are an object, or left out.`,
        }),
      )

type Pages = Checkout["Service"]

const makeLink = <E>(
  call: keyof CheckoutLinks,
  { checkout }: Services,
  terms: LinkTerms,
  link: (pages: Pages, terms: LinkTerms) => Effect.Effect<string, E>,
): Effect.Effect<string, E | InvalidOption> =>
  checkout === undefined
    ? Effect.fail(
        new InvalidOption({
          message: `pix.checkout.${call} needs the option checkout of createPix: checkout({ url }) of @pixcharge/checkout.`,
        }),
      )
    : Effect.flatMap(checkTerms(call, terms), () => link(checkout, Object(terms)))

export const makeCheckout = ({ asCompany, onCharge }: Calls<Services>): CheckoutLinks => ({
  link: (issuer, id, terms = {}) =>
    onCharge(issuer, id, (services, company, charge) =>
      makeLink("link", services, terms, (pages, checked) => pages.link(company, charge, checked)),
    ),
  recurrenceLink: (issuer, id, terms = {}) =>
    asCompany(issuer, (services, company) =>
      Effect.flatMap(Effect.fromResult(parseRecurrenceId(id)), (recurrence) =>
        makeLink("recurrenceLink", services, terms, (pages, checked) =>
          pages.recurrenceLink(company, recurrence, checked),
        ),
      ),
    ),
})
