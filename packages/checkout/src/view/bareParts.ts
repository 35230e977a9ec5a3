import { titleHeading } from "./heading.ts"
import { type Markup, markup } from "./markup.ts"
import { texts } from "./texts.ts"
import type { CheckoutParts } from "./ViewParts.ts"

const nothing = markup``

const bareParts = (
  status: string,
  { head = nothing, main = nothing }: { head?: Markup; main?: Markup },
): CheckoutParts => ({
  head,
  status: markup`${status}`,
  clock: nothing,
  warning: nothing,
  main,
  details: nothing,
})

/** What the element shows until the server answers: the page's own content, or a link to the charge's page. */
export const loadingParts = (link: string): CheckoutParts =>
  bareParts(texts.loading, {
    main: markup`<slot><p><a class="act quiet" href="${link}" target="_blank" rel="noopener">${texts.openPage}</a></p></slot>`,
  })

/** What a view shows whose link doesn't hold, or no more. */
export const goneParts = (isEmbedded: boolean): CheckoutParts =>
  bareParts(texts.gone, { head: titleHeading(isEmbedded, texts.goneTitle) })
