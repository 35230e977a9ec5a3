import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Exchange, Reply } from "../exchange/Exchange.ts"

/** A processor's own inbound route, mounted by the same bindings as ours. */
export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /** The path below the mount, like `/webhooks/pix`; the processor may add to it. */
    readonly path: string
    /** Answers a 2xx only once all it was told is safely recorded or known to be none of ours. */
    readonly handle: (exchange: Exchange) => Effect.Effect<Reply>
  }
>()("@pixcharge/core/ports/PaymentNotices") {}
