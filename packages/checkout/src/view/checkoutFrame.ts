import type { CheckoutState } from "./CheckoutState.ts"
import { type CheckoutParts, titleHeading } from "./ViewParts.ts"
import { type Child, type Markup, markup } from "./markup.ts"
import type { SeenTerms } from "./seenTerms.ts"
import { texts } from "./texts.ts"

export interface FrameExtras {
  /** The terms of an open charge, which a script compares with later ones. */
  readonly terms?: SeenTerms | undefined
  readonly top?: Child
  readonly between?: Child
  readonly bottom?: Child
}

/** The frame has empty live regions from the start, because screen readers announce only later changes. */
export const checkoutFrame = (
  parts: CheckoutParts,
  state: Pick<CheckoutState, "id" | "status"> | undefined,
  { terms, top, between, bottom }: FrameExtras = {},
): Markup => markup`<div class="pix" data-status="${state?.status ?? "loading"}" data-id="${state?.id}" data-terms="${terms && JSON.stringify(terms)}">
<slot name="logo"></slot>
${top}
<div class="head" data-part="head">${parts.head}</div>
<div class="now"><p class="status" role="status" data-part="status">${parts.status}</p>
<p class="clock" data-part="clock">${parts.clock}</p></div>
<p class="warning" role="status" data-part="warning">${parts.warning}</p>
<p class="warning" role="status" data-part="change"></p>
<p class="warning" role="status" data-part="offline"></p>
${between}
<div class="main" data-part="main">${parts.main}</div>
<div class="details" data-part="details">${parts.details}</div>
${bottom}
<slot name="help"></slot>
</div>`

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

/** Shown until the server answers: the host's slotted content, or a link to the charge's page. */
export const loadingParts = (link: string): CheckoutParts =>
  bareParts(texts.loading, {
    main: markup`<slot><p><a class="act quiet" href="${link}" target="_blank" rel="noopener">${texts.openPage}</a></p></slot>`,
  })

export const goneParts = (isEmbedded: boolean): CheckoutParts =>
  bareParts(texts.gone, { head: titleHeading(isEmbedded, texts.goneTitle) })
