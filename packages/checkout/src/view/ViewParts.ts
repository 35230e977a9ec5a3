import type { Markup } from "./markup.ts"
import type { ViewFormats } from "./ViewFormats.ts"

/** The parts of the view that change, each an element with `data-part`. */
export type PartName = "head" | "status" | "clock" | "warning" | "main" | "details"

export type CheckoutParts = Readonly<Record<PartName, Markup>>

/** Where the view stands. */
export interface ViewContext {
  readonly formats: ViewFormats
  /** Addresses, relative to the page or absolute. */
  readonly links: { readonly qr: string; readonly renew: string; readonly receipt: string }
  /** Where the view's title stands among the page's headings. */
  readonly heading: 1 | 2
  /** Whether a script answers the copy button and keeps the clock; without one there is neither. */
  readonly isLive: boolean
}
