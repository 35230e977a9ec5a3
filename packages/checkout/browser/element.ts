import { defineElement, elementClass } from "../src/element/elementClass.ts"
import css from "./checkout.css"

// `<pix-checkout>` for a page without a bundler.
defineElement(elementClass(css))
