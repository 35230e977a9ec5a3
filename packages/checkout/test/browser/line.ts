import { serveHost } from "@pixcharge/verify/browser"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"

/** A proxy between page and server whose connections a test can break. */
export interface Line {
  readonly origin: string
  /** Breaks all open connections, as a restart does. */
  readonly cut: () => void
  /** Stops forwarding data on open streams, without closing either end. */
  readonly silence: () => void
}

export const openLine = async (
  to: string,
  refused?: { readonly status: number; readonly retryAfter?: string },
): Promise<Line> => {
  const streams = new Set<() => void>()
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (refused !== undefined && incoming.headers.accept === "text/event-stream") {
      const headers = refused.retryAfter === undefined ? {} : { "retry-after": refused.retryAfter }
      outgoing.writeHead(refused.status, headers).end()
      return
    }
    const { method, headers, url } = incoming
    const passed = request(to + url, { ...(method !== undefined && { method }), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
      if (incoming.headers.accept === "text/event-stream") streams.add(() => answer.unpipe(outgoing).resume())
      answer.on("error", () => outgoing.destroy())
    })
    passed.on("error", () => outgoing.destroy())
    outgoing.on("close", () => passed.destroy())
    incoming.pipe(passed)
  }
  const server = createServer(pass)
  const { origin } = await serveHost(server)
  return {
    origin,
    cut: () => server.closeAllConnections(),
    silence: () => {
      for (const silenceStream of streams) silenceStream()
    },
  }
}
