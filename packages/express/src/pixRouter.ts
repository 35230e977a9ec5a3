import type { RefusedBody } from "@pixcharge/core/internal"
import { checkResponder, type Responder } from "@pixcharge/http"
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express"
import { ExpressExchange } from "./ExpressExchange.ts"
import { readRefusedBody } from "./readRefusedBody.ts"
import { send } from "./send.ts"

/**
 * pixcharge's routes for `app.use`, under any prefix, before or after the host's body parsers. Paths that aren't ours go
 * on to the host. A broken or oversized body that the host's parser refuses on our paths is answered in our error shape;
 * and nothing of it is carried out. Everything else that the host refuses stays refused.
 *
 * @example
 * app.use("/payments", pixRouter(pix))
 */
export const pixRouter = (pix: Responder): [RequestHandler, ErrorRequestHandler] => {
  checkResponder("pixRouter", pix)
  /** Whether the request is ours, and is being answered. */
  const answer = (request: Request, response: Response, next: NextFunction, body?: RefusedBody): boolean => {
    const reply = pix.respond(new ExpressExchange(request, response, body))
    reply?.then((ready) => send(request, response, ready)).catch(next)
    return reply !== undefined
  }
  return [
    (request, response, next) => {
      if (!answer(request, response, next)) next()
    },
    (error, request, response, next) => {
      const body = readRefusedBody(error)
      if (body === undefined || !answer(request, response, next, body)) next(error)
    },
  ]
}
