import type { Exchange, Reply } from "@pixcharge/core"
import type { Snapshot } from "./state/Snapshot.ts"
import type { StateBody } from "./wire/StateBody.ts"

/** What a page below a link is made of. */
export interface PageView {
  /** Below the link: `""`, `/qr.svg`, `/comprovante`. */
  readonly path: string
  readonly exchange: Exchange
  readonly snapshot: Snapshot
  /** What `/estado` would say now. */
  readonly state: StateBody
  /** When the link expires. Epoch milliseconds. */
  readonly expiresAt: number
}

/** Why there is no page of a charge to be seen. */
export interface Problem {
  readonly kind:
    /** No link of ours, or no such page below it (404). */
    | "unknown"
    /** The link has expired (410). */
    | "expired"
    /** Nothing can be said for the moment (503). */
    | "unavailable"
    /** The host gave no new code (503). */
    | "renewalFailed"
    /** The path has no such method (405). */
    | "method"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The payer's side of the routes: what is seen. */
export interface Pages {
  /** Undefined for a path that is no page. */
  readonly page: (view: PageView) => Reply | Promise<Reply> | undefined
  readonly problem: (problem: Problem, exchange: Exchange) => Reply | Promise<Reply>
  /** A script, a style or an image that all pages share; undefined for an unknown name. */
  readonly asset: (name: string, exchange: Exchange) => Reply | undefined
}
