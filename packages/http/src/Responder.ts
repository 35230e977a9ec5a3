import type { Exchange, Reply } from "@pixcharge/core"

/** What a binding needs of pixcharge: `createPix` returns one. */
export interface Responder {
  /** Whether a request is ours to answer; the host's own otherwise. `url` is path and query below the mount. */
  readonly handles: (method: string, url: string) => boolean
  readonly respond: (exchange: Exchange) => Promise<Reply>
}
