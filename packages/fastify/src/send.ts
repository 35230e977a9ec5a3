import type { Reply } from "@pixcharge/core"
import { hasBody } from "@pixcharge/http/binding"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Readable } from "node:stream"

/** Sends as fast as the caller reads. If the body or the response ends, the other ends, too. */
const sendStream = (reply: FastifyReply, body: ReadableStream<Uint8Array>): void => {
  reply.raw.once("pipe", () => reply.raw.flushHeaders())
  reply.send(Readable.fromWeb(body))
}

/** Sends through Fastify, because the host's hooks read the answer and add headers. */
export const send = (request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Reply): void => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  // The host's time-out has answered, or the caller left.
  const isLate = reply.sent || reply.raw.destroyed
  const isUnsent = !hasBody(status) || (isStream && (isLate || request.method === "HEAD"))
  if (isUnsent && isStream) body.cancel().catch(() => undefined)
  if (isLate) return
  reply.code(status).headers(headers)
  // A refused body would delay the connection's next request. A stream would delay a closing server, because its page
  // reconnects. HTTP/2 has no such header.
  if ((isStream || !request.raw.complete) && request.raw.httpVersionMajor === 1) reply.header("connection", "close")
  if (isUnsent) reply.send()
  else if (isStream) sendStream(reply, body)
  else reply.send(body)
}
