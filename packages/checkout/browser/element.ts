import { definePixCheckout } from "../src/element/PixCheckout.ts"
import css from "./checkout.css"

// `<pix-checkout>` for a page without a bundler.
definePixCheckout(css)
