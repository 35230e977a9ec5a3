import type { Exchange, Reply } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import { type Responder, unavailableReply } from "@pixcharge/http"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { type Instance, PixDisposed } from "./instance/Instance.ts"
import type { Services } from "./instance/services.ts"

/**
 * The first request to one of our routes boots the instance. While the boot fails, the answer is 503, and `host` logs the reason.
 */
export const makeResponder = (
  instance: Instance<Services>,
  isOwn: (exchange: Exchange) => boolean,
  host: Layer.Layer<never>,
): Responder["respond"] => {
  let logged: unknown

  /** Logs each failure once. */
  const log = async (failure: unknown): Promise<void> => {
    if (failure === logged || failure instanceof PixDisposed) return
    logged = failure
    const logging = logFailure("Error", "pixcharge could not start, and requests are answered 503", failure)
    await Effect.runPromise(Effect.provide(logging, host))
  }

  const answerOnceBooted = async (exchange: Exchange): Promise<Reply> => {
    try {
      const { services, run } = await instance.boot()
      return await run(services.http.respond(exchange) ?? Effect.succeed(unavailableReply))
    } catch (failure) {
      await log(failure)
      return unavailableReply
    }
  }

  return (exchange) => {
    const { booted } = instance
    if (booted === undefined) return isOwn(exchange) ? answerOnceBooted(exchange) : undefined
    const reply = booted.services.http.respond(exchange)
    return reply === undefined ? undefined : booted.run(reply)
  }
}
