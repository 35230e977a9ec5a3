import type { Exchange } from "@pixcharge/core"
import type { Capability } from "../link/Capability.ts"

/** A request below a link that holds. */
export interface LinkRequest {
  readonly exchange: Exchange
  readonly capability: Capability<string>
  /** Below the link: `""`, `/estado`, `/qr.svg`. */
  readonly path: string
  /** Epoch milliseconds of business time. */
  readonly now: number
}
