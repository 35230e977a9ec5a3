import { createAdaptorServer } from "@hono/node-server"
import type { ExchangeBody } from "@pixcharge/core"
import { fetchHandler } from "@pixcharge/http"
import { httpConformanceSuite, type Mount, mounted } from "@pixcharge/testkit/conformance"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { text } from "node:stream/consumers"

const bodyOf = async (request: IncomingMessage, maxBytes: number): Promise<ExchangeBody> => {
  const content = await text(request)
  if (Buffer.byteLength(content) > maxBytes) return { _tag: "TooLarge" }
  return content.includes("\ufffd") ? { _tag: "Unreadable" } : { _tag: "Text", text: content }
}

/** A host of no framework at all that hands plain exchanges to `respond`. */
const rawMount: Mount = (pix) => {
  const server = createServer((request, response) => {
    const exchange = {
      method: request.method ?? "",
      url: request.url ?? "",
      header: (name: string) => request.headers[name] as string | undefined,
      body: (maxBytes: number) => bodyOf(request, maxBytes),
    }
    void pix.respond(exchange).then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
  return mounted(server, "", false)
}

/** The fetch handler behind a real server. */
const fetchMount: Mount = (pix) => mounted(createAdaptorServer({ fetch: fetchHandler(pix) }) as Server, "", false)

httpConformanceSuite("raw respond", rawMount)
httpConformanceSuite("fetch", fetchMount)
