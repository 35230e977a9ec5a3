import type { Reply } from "@pixcharge/core"
import { hasBody } from "@pixcharge/http/binding"
import type { Request, Response } from "express"
import { Buffer } from "node:buffer"
import { pipeline, Readable } from "node:stream"

/** Sends as fast as the caller reads. If the body or the response ends, the other ends, too. */
const sendStream = (response: Response, body: ReadableStream<Uint8Array>): void => {
  response.flushHeaders()
  // On a failure, `pipeline` has already closed both.
  pipeline(Readable.fromWeb(body), response, () => undefined)
}

export const send = (request: Request, response: Response, { status, headers, body }: Reply): void => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  // The host's time-out has answered, or the caller left.
  const isLate = response.headersSent || response.destroyed
  const isUnsent = !hasBody(status) || (isStream && (isLate || request.method === "HEAD"))
  if (isUnsent && isStream) body.cancel().catch(() => undefined)
  if (isLate) return
  response.writeHead(
    status,
    // Not a spread literal, because V8 of Node 20 makes a new hidden class for each.
    Object.assign(
      {},
      headers,
      !isStream && !isUnsent && { "content-length": Buffer.byteLength(body) },
      // An unread body would delay the connection's next request. A stream would delay a closing server, because its page
      // reconnects.
      (isStream || !request.complete) && { connection: "close" },
    ),
  )
  if (isUnsent) response.end()
  else if (isStream) sendStream(response, body)
  else response.end(body)
}
