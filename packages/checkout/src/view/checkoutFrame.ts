import type { CheckoutParts } from "./ViewParts.ts"
import type { CheckoutState } from "./CheckoutState.ts"
import { type Child, type Markup, markup } from "./markup.ts"

/**
 * The view's elements. `between` is what the page has below the status.
 *
 * Elements that screen readers announce are there from the start, for only their changes are read out.
 */
export const checkoutFrame = (
  parts: CheckoutParts,
  state: Pick<CheckoutState, "id" | "status"> | undefined,
  between?: Child,
): Markup => markup`<div class="pix" data-status="${state?.status ?? "loading"}" data-id="${state?.id}">
<slot name="logo"></slot>
<div class="head" data-part="head">${parts.head}</div>
<div class="now"><p class="status" role="status" data-part="status">${parts.status}</p>
<p class="clock" data-part="clock">${parts.clock}</p></div>
<p class="warning" role="status" data-part="warning">${parts.warning}</p>
<p class="warning" role="status" data-part="offline"></p>
${between}
<div class="main" data-part="main">${parts.main}</div>
<div class="details" data-part="details">${parts.details}</div>
<slot name="help"></slot>
</div>`
