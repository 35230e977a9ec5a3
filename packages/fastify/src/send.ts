import type { Reply } from "@pixcharge/core"
import { hasBody } from "@pixcharge/http"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Readable } from "node:stream"

/** Sends a stream as fast as the caller reads; the end of either is the other's. */
const sendStream = (reply: FastifyReply, body: ReadableStream<Uint8Array>): void => {
  // The caller learns that it is answered, before the first chunk comes; Fastify has set the headers before that.
  reply.raw.once("pipe", () => reply.raw.flushHeaders())
  reply.send(Readable.fromWeb(body))
}

/** Sends through Fastify, so that the host's hooks see the answer and add their headers. */
export const send = (request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Reply): void => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  // A host's time-out may have answered meanwhile; a caller that went away is no concern of ours.
  const isLate = reply.sent || reply.raw.destroyed
  const isUnsent = !hasBody(status) || (isStream && (isLate || request.method === "HEAD"))
  if (isUnsent && isStream) body.cancel().catch(() => undefined)
  if (isLate) return
  reply.code(status).headers(headers)
  // What was refused unread would otherwise have to be read to its end before the connection's next request. A server that
  // closes would wait for the connection of a stream, on which its page asks again. HTTP/2 has no such header.
  if ((isStream || !request.raw.complete) && request.raw.httpVersionMajor === 1) reply.header("connection", "close")
  if (isUnsent) reply.send()
  else if (isStream) sendStream(reply, body)
  else reply.send(body)
}
