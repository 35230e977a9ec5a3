import type { CheckoutParts } from "./ViewParts.ts"
import type { CheckoutState } from "./CheckoutState.ts"
import { type Child, type Markup, markup } from "./markup.ts"

/** What a page has within the view besides its parts: above them, below the status, and below them. */
export interface FrameExtras {
  readonly top?: Child
  readonly between?: Child
  readonly bottom?: Child
}

/**
 * The view's elements.
 *
 * Elements that screen readers announce are there from the start, for only their changes are read out.
 */
export const checkoutFrame = (
  parts: CheckoutParts,
  state: Pick<CheckoutState, "id" | "status"> | undefined,
  { top, between, bottom }: FrameExtras = {},
): Markup => markup`<div class="pix" data-status="${state?.status ?? "loading"}" data-id="${state?.id}">
<slot name="logo"></slot>
${top}
<div class="head" data-part="head">${parts.head}</div>
<div class="now"><p class="status" role="status" data-part="status">${parts.status}</p>
<p class="clock" data-part="clock">${parts.clock}</p></div>
<p class="warning" role="status" data-part="warning">${parts.warning}</p>
<p class="warning" role="status" data-part="offline"></p>
${between}
<div class="main" data-part="main">${parts.main}</div>
<div class="details" data-part="details">${parts.details}</div>
${bottom}
<slot name="help"></slot>
</div>`
