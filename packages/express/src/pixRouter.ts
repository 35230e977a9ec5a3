import type { RefusedBody } from "@pixcharge/core/internal"
import { checkResponder, type Responder } from "@pixcharge/http/binding"
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express"
import { ExpressExchange } from "./ExpressExchange.ts"
import { readRefusedBody } from "./readRefusedBody.ts"
import { send } from "./send.ts"

const misplaced =
  'pixRouter finds none of its paths: mount it with app.use("/payments", pixRouter(pix)), because a route like app.all leaves its prefix in the path.'

/** True in a route below a prefix, like `app.all("/payments/*splat", ...)`. Only `app.use` strips it. */
const isInRoute = ({ route }: Request, handler: RequestHandler): boolean =>
  typeof route?.path === "string" &&
  !/^\/?[*{(]/.test(route.path) &&
  route.stack.some(({ handle }: { readonly handle: unknown }) => handle === handler)

type Handlers = [RequestHandler, ErrorRequestHandler]

export interface PixRouter extends Handlers {}

/**
 * pixcharge's routes for `app.use`, under any prefix, before or after the host's body parsers. The host gets other paths.
 *
 * If the host's parser refuses a broken or oversized body on our paths, the answer has our error shape and the request has no
 * effect.
 *
 * @example
 * app.use("/payments", pixRouter(pix))
 */
export const pixRouter = (pix: Responder): PixRouter => {
  checkResponder("pixRouter", pix)
  const answer = (request: Request, response: Response, next: NextFunction, body?: RefusedBody): boolean => {
    const reply = pix.respond(new ExpressExchange(request, response, body))
    reply?.then((ready) => send(request, response, ready)).catch(next)
    return reply !== undefined
  }
  let mayBeMisplaced = true
  const handle: RequestHandler = (request, response, next) => {
    const isOurs = answer(request, response, next)
    if (mayBeMisplaced && (isOurs || isInRoute(request, handle))) {
      mayBeMisplaced = false
      if (!isOurs) process.emitWarning(misplaced)
    }
    if (!isOurs) next()
  }
  return [
    handle,
    (error, request, response, next) => {
      const body = readRefusedBody(error)
      if (body === undefined || !answer(request, response, next, body)) next(error)
    },
  ]
}
