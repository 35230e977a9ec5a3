import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Exchange, Reply } from "../runtime/exchange.ts"

/** Answers what a processor calls us with: payments that it says were made (decision 37). */
export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /**
     * Answers a call, of any method, to the route's path or below it. `below` is the part of the path that is below the
     * route's, without doubled slashes and a last one: `""`, `/pix`, `/12345678000195/pix`. It answers 2xx only once every
     * payment in it is recorded or known not to be ours, or a check of its charge is scheduled. Undefined, before the body is
     * read, for a path by which the processor doesn't prove itself: that gets the answer of a path that doesn't exist.
     */
    readonly handle: (exchange: Exchange, below: string) => Effect.Effect<Reply> | undefined
  }
>()("@pixcharge/core/ports/PaymentNotices") {}

/** A processor's inbound route, mounted by the same bindings as ours. */
export interface NoticesRoute<out E = never, out R = never> {
  /** Below the mount, like `/webhooks/pix`. The processor may call paths below it. */
  readonly path: string
  readonly layer: Layer.Layer<PaymentNotices, E, R>
}
