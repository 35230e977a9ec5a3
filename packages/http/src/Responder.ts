import type { Exchange, Reply } from "@pixcharge/core"

/** What a binding needs of pixcharge: `createPix` makes one. */
export interface Responder {
  /**
   * Answers any request of ours. Undefined, at once and with nothing begun, when the request is the
   * host's own: its path isn't one of ours, or its method is `OPTIONS` on any but the notices' path
   * and a checkout's `/estado` (decision 29).
   */
  readonly respond: (exchange: Exchange) => Promise<Reply> | undefined
}
