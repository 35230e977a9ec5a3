import type { Reply } from "@pixcharge/core"
import { hasBody } from "@pixcharge/http"
import type { Request, Response } from "express"
import { Buffer } from "node:buffer"
import { pipeline, Readable } from "node:stream"

/** Sends a stream as fast as the caller reads; when either ends, so does the other. */
const sendStream = (response: Response, body: ReadableStream<Uint8Array>): void => {
  // The caller gets the status before the first chunk comes.
  response.flushHeaders()
  // `pipeline` has closed the other side already, whichever failed.
  pipeline(Readable.fromWeb(body), response, () => undefined)
}

export const send = (request: Request, response: Response, { status, headers, body }: Reply): void => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  // A host's time-out may have answered meanwhile; a caller that went away is no concern of ours.
  const isLate = response.headersSent || response.destroyed
  const isUnsent = !hasBody(status) || (isStream && (isLate || request.method === "HEAD"))
  if (isUnsent && isStream) body.cancel().catch(() => undefined)
  if (isLate) return
  response.writeHead(
    status,
    // Not a literal of spreads, of which V8 of Node 20 makes another hidden class each time.
    Object.assign(
      {},
      headers,
      !isStream && !isUnsent && { "content-length": Buffer.byteLength(body) },
      // What was refused unread would otherwise have to be read to its end before the connection's next request. A server that
      // closes would wait for the connection of a stream, on which its page asks again.
      (isStream || !request.complete) && { connection: "close" },
    ),
  )
  if (isUnsent) response.end()
  else if (isStream) sendStream(response, body)
  else response.end(body)
}
