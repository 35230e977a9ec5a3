import { checkoutOf } from "./checkoutOf.ts"
import { pages } from "./pages/pages.ts"

/**
 * The pages on which payers pay, as the option `checkout` of `createPix`: `pix.checkout.link` then answers their addresses,
 * and they are answered below the host's mount, at `/pagar`.
 *
 * @example
 * import { checkout } from "@pixcharge/checkout"
 *
 * const pix = createPix({ ...options, checkout: checkout({ url: "https://shop.example/payments" }) })
 */
export const checkout = checkoutOf(pages)
