import { definePixCheckout } from "../src/element/PixCheckout.ts"
import css from "./checkout.css"

// Defines `<pix-checkout>` on a page without a bundler.
definePixCheckout(css)
