import { pathBelow, type Responder } from "@pixcharge/http"
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify"
import { answer } from "./answer.ts"

/**
 * For Fastify's option `frameworkErrors`: what is ours among the paths that Fastify can't read, like one with a broken
 * percent-encoding, which it answers by a text that repeats them, before any plugin. `prefix` is that of the plugin, without
 * parameters.
 *
 * @example
 * const app = Fastify({ frameworkErrors: pixFrameworkErrors(pix, { prefix: "/payments" }) })
 */
export const pixFrameworkErrors =
  (pix: Responder, { prefix = "" }: { readonly prefix?: string } = {}) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { url = "" } = request.raw
    const isBelow = url.startsWith(`${prefix.replace(/\/$/, "")}/`)
    if (!isBelow || !answer(pix, request, reply, pathBelow(url, prefix))) reply.send(error)
  }
