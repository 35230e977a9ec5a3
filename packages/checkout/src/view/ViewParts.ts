import type { Markup } from "./markup.ts"
import type { ViewFormats } from "./ViewFormats.ts"

/** The parts of the view that change, each an element with `data-part`. */
export type PartName = "head" | "status" | "clock" | "warning" | "main" | "details"

export type CheckoutParts = Readonly<Record<PartName, Markup>>

/** What the view depends on besides the state. */
export interface ViewContext {
  readonly formats: ViewFormats
  /** Addresses, relative to the page or absolute. */
  readonly links: { readonly qr: string; readonly renew: string; readonly receipt: string }
  /** Whether a page of the shop's shows the view: below a heading of its own, and nothing leads out of that page. */
  readonly isEmbedded: boolean
  /** Whether a script handles the copy button and runs the clock; without one the view has neither. */
  readonly isLive: boolean
}
