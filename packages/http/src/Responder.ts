import type { Exchange, Reply } from "@pixcharge/core"
import { hasMethods, InvalidOption } from "@pixcharge/core/internal/exchange"
import { failureReply } from "./wire/Envelope.ts"
import { operationFailures } from "./wire/messages.ts"

/** The part of pixcharge that a binding uses. The result of `createPix` is a `Responder`. */
export interface Responder {
  /**
   * Answers a request. Returns undefined immediately, without any effect, if the request belongs to the host: on another path,
   * or `OPTIONS` except on the notices' paths and a checkout's `/estado` (decision 29).
   */
  readonly respond: (exchange: Exchange) => Promise<Reply> | undefined
}

/**
 * Throws `InvalidOption` unless `pix` is a `Responder`, because hosts without types can pass any value. `caller` names the
 * binding.
 */
export const checkResponder = (caller: string, pix: unknown): void => {
  if (hasMethods(pix, "respond")) return
  const hint = hasMethods(pix, "then") ? ", and was given a promise of it: await it first" : ""
  throw new InvalidOption({
    message: `${caller} needs what createPix returns, or an app such as the portal${hint}.`,
  })
}

interface NodeResponse {
  readonly destroyed: boolean
  readonly writableFinished: boolean
  readonly once: (event: "close", listener: () => void) => unknown
}

/** Aborts if the connection over Node's `http` ends before the whole answer was sent. */
export const makeCallerSignal = (response: NodeResponse): AbortSignal => {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once("close", () => !response.writableFinished && controller.abort())
  return controller.signal
}

/** The answer during an outage, such as the database's: 503, with a retry after a second. */
export const unavailableReply: Reply = failureReply(operationFailures.StoreUnavailable, { "retry-after": "1" })
