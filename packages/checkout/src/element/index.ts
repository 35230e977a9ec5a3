import { checkoutCss } from "../assets.ts"
import type { CheckoutState } from "../view/CheckoutState.ts"
import { definePixCheckout, type PixCheckout } from "./PixCheckout.ts"

export type { CheckoutState, CheckoutStatus } from "../view/CheckoutState.ts"

export { PixCheckout } from "./PixCheckout.ts"

/** Dispatched when a charge is paid or expired, and when the element loads a charge that is already paid or expired. */
export type PixCheckoutEvent = CustomEvent<CheckoutState>

/** Dispatched when the buyer got a new code. The element then shows the charge of `link`. */
export type PixRenewedEvent = CustomEvent<{ readonly link: string }>

/** The attributes of `<pix-checkout>` in JSX. Add them to your framework's `JSX.IntrinsicElements`. */
export interface PixCheckoutProps {
  /** The link of the charge, as `pix.checkout.link` returns it. */
  readonly src: string
  readonly "onpix-paid"?: (event: PixCheckoutEvent) => void
  readonly "onpix-expired"?: (event: PixCheckoutEvent) => void
  readonly "onpix-renewed"?: (event: PixRenewedEvent) => void
}

declare global {
  interface HTMLElementTagNameMap {
    "pix-checkout": PixCheckout
  }
  interface HTMLElementEventMap {
    "pix-paid": PixCheckoutEvent
    "pix-expired": PixCheckoutEvent
    "pix-renewed": PixRenewedEvent
  }
}

definePixCheckout(checkoutCss.text)
