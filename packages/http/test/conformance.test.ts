import { createAdaptorServer } from "@hono/node-server"
import type { ExchangeBody } from "@pixcharge/core"
import { fetchHandler } from "@pixcharge/http"
import { hasBody, pathAndQuery, readStream, refuseUnread } from "@pixcharge/http/binding"
import { httpConformanceSuite, type Mount, mountServer } from "@pixcharge/adapter-tests/conformance"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { pipeline, Readable } from "node:stream"

const readHeader = (request: IncomingMessage) => (name: string) => request.headers[name] as string | undefined

const readRequest = async (request: IncomingMessage, maxBytes: number): Promise<ExchangeBody> =>
  refuseUnread({ header: readHeader(request) }, maxBytes) ?? (await readStream(request, maxBytes))

/** Passes plain exchanges to `respond`, without a framework. */
const rawMount: Mount = (pix) => {
  const server = createServer((request, response) => {
    const controller = new AbortController()
    response.on("close", () => !response.writableFinished && controller.abort())
    const exchange = {
      method: request.method ?? "",
      url: request.url ?? "",
      fullUrl: pathAndQuery(request.url ?? ""),
      frameworkRequest: request,
      header: readHeader(request),
      body: (maxBytes: number) => readRequest(request, maxBytes),
      signal: controller.signal,
    }
    const reply = pix.respond(exchange)
    if (reply === undefined) return response.writeHead(request.url === "/host" ? 200 : 404).end("host")
    return void reply.then(({ status, headers, body }) => {
      if (!request.complete) response.setHeader("connection", "close")
      if (!hasBody(status)) return response.writeHead(status, headers).end()
      if (typeof body === "string" || body instanceof Uint8Array) {
        return response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
      }
      response.writeHead(status, headers).flushHeaders()
      if (request.method === "HEAD") return response.end(() => void body.cancel())
      return pipeline(Readable.fromWeb(body), response, () => undefined)
    })
  })
  return mountServer(server, "", true)
}

/** The fetch handler behind a real server. */
const fetchMount: Mount = (pix) => mountServer(createAdaptorServer({ fetch: fetchHandler(pix) }) as Server, "", false)

const base = "/api/cobrancas.v1"

/** The fetch handler below a base path. */
const fetchAtMount: Mount = (pix) =>
  mountServer(createAdaptorServer({ fetch: fetchHandler(pix, base) }) as Server, base, false)

// Here and for hosts that parse bodies, all rows run. Other bindings run fewer rows, because the same core answers behind them.
httpConformanceSuite("raw respond", rawMount)
httpConformanceSuite("fetch", fetchMount, { rows: "binding" })
httpConformanceSuite("fetch below a base path", fetchAtMount, { rows: "binding" })
