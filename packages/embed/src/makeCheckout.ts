import { type Checkout, InvalidOption, type LinkTerms } from "@pixcharge/core"
import { anObject, type FieldsOf } from "@pixcharge/core/internal"
import { parseRecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { checkFields } from "./checkFields.ts"
import type { Calls } from "./makeCalls.ts"
import type { CheckoutLinks } from "./pix/CheckoutLinks.ts"
import type { Services } from "./services.ts"

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

/** Makes a link with the host's pages, if it has any. */
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

/** Links to the payers' pages. */
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
