import type { Responder } from "@pixcharge/http"
import type { FastifyReply, FastifyRequest } from "fastify"
import { FastifyExchange } from "./FastifyExchange.ts"
import { send } from "./send.ts"

/** Whether the request is ours, and is being answered; `url` is its path and query below the mount. */
export const answer = (pix: Responder, request: FastifyRequest, reply: FastifyReply, url: string): boolean => {
  const ready = pix.respond(new FastifyExchange(request, reply, url))
  ready?.then((answered) => send(request, reply, answered)).catch((error) => reply.send(error))
  return ready !== undefined
}
