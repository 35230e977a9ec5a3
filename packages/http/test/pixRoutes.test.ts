import { NodeHttpServer } from "@effect/platform-node"
import type { Reply } from "@pixcharge/core"
import { PixHttp } from "@pixcharge/http"
import { pixRoutes } from "@pixcharge/http/effect"
import { httpConformanceSuite, type Mount } from "@pixcharge/adapter-tests/conformance"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Tracer from "effect/Tracer"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { describe, expect, it, onTestFinished } from "vitest"

/** Starts Effect's server with the routes below `base`, and the host's route `/host`. */
const serve = async (
  base: string,
  respond: PixHttp["Service"]["respond"],
  host: Layer.Layer<never> = Layer.empty,
  middleware: Layer.Layer<never, never, HttpRouter.HttpRouter> = Layer.empty,
) => {
  const server = createServer()
  const own = HttpRouter.add("GET", "/host", HttpServerResponse.text("host"))
  const routes = Layer.mergeAll(pixRoutes(base), own, middleware)
  const runtime = ManagedRuntime.make(
    HttpRouter.serve(routes).pipe(
      Layer.provide(Layer.succeed(PixHttp, { respond })),
      Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
      Layer.provide(Layer.merge(Logger.layer([]), host)),
    ),
  )
  await runtime.runPromise(Effect.void)
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      server.closeAllConnections()
      await runtime.dispose()
    },
  }
}

const cancel = async ({ body }: Reply) => (body instanceof ReadableStream ? body.cancel() : undefined)

const mount =
  (base: string): Mount =>
  async (pix) => {
    const served = await serve(base, (exchange) => {
      const reply = pix.respond(exchange)
      return (
        reply &&
        Effect.onInterrupt(
          Effect.promise(() => reply),
          () => Effect.sync(() => void reply.then(cancel)),
        )
      )
    })
    return { ...served, hasHost: false, refusesBrokenPaths: true }
  }

httpConformanceSuite("Effect's HttpRouter", mount("/payments.v1"), { rows: "binding" })

const open = async (respond: PixHttp["Service"]["respond"], host?: Layer.Layer<never>) => {
  const served = await serve("/payments", respond, host)
  onTestFinished(served.close)
  return served.baseUrl
}

describe("a request to Effect's HttpRouter", () => {
  it("runs below the span of the host's route, in its trace", async () => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const respond = () => Effect.withSpan(Effect.succeed({ status: 204, headers: {}, body: "" }), "pix.work")
    const url = await open(respond, Layer.succeed(Tracer.Tracer, tracer))
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
    await fetch(`${url}/api/pix`, { method: "POST", headers: { traceparent } })
    const [route, work] = spans
    expect(spans.map(({ traceId }) => traceId)).toEqual(["a".repeat(32), "a".repeat(32)])
    expect([work?.name, work?.parent]).toMatchObject(["pix.work", { value: { spanId: route?.spanId } }])
  })

  /** Returns the body that it read as its reply, at most 64 bytes. */
  const echo: PixHttp["Service"]["respond"] = (exchange) =>
    Effect.map(
      Effect.promise(() => exchange.body(64)),
      (body) => ({ status: 200, headers: {}, body: body._tag === "Text" ? body.text : body._tag }),
    )

  it("has its body even if the host's middleware has read it", async () => {
    const readFirst = HttpRouter.middleware(
      (route) =>
        HttpServerRequest.HttpServerRequest.use((hostRequest) =>
          Effect.andThen(Effect.ignore(hostRequest.text), route),
        ),
      { global: true },
    )
    const served = await serve("/payments", echo, Layer.empty, readFirst)
    onTestFinished(served.close)
    const send = async (body: string) => (await fetch(`${served.baseUrl}/api/pix`, { method: "POST", body })).text()
    expect(await send("ação")).toBe("ação")
    expect(await send("a".repeat(65))).toBe("TooLarge")
  })

  it("gets `100 Continue` if it waits for it before it sends its body", async () => {
    const url = await open(echo)
    const headers = { expect: "100-continue", "content-length": 4 }
    const answer = new Promise<string>((resolve, reject) => {
      const clientRequest = request(`${url}/api/pix`, { method: "POST", headers, timeout: 2_000 })
      clientRequest.on("response", (reply) => resolve(text(reply))).on("error", reject)
      clientRequest.on("timeout", () => clientRequest.destroy(new Error("no 100 Continue")))
      clientRequest.on("continue", () => clientRequest.end("body")).flushHeaders()
    })
    expect(await answer).toBe("body")
  })

  it("is interrupted if its caller disconnects", async () => {
    const [begun, ended] = [Deferred.makeUnsafe<AbortSignal>(), Deferred.makeUnsafe<void>()]
    const url = await open(({ signal }) =>
      Effect.andThen(Deferred.succeed(begun, signal), Effect.never).pipe(
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined)),
      ),
    )
    const leaving = new AbortController()
    const answer = fetch(`${url}/api/pix`, { signal: leaving.signal }).catch(() => "left")
    const signal = await Effect.runPromise(Deferred.await(begun))
    leaving.abort()
    expect(await answer).toBe("left")
    await Effect.runPromise(Deferred.await(ended))
    await new Promise((resolve) => (signal.aborted ? resolve(true) : signal.addEventListener("abort", resolve)))
  })

  it("isn't in the access log, because the token route's path holds a secret", async () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    const url = await open(() => Effect.succeed({ status: 200, headers: {}, body: "" }), logger)
    await fetch(`${url}/api/token/11222333000181/secret`)
    await fetch(url.replace("/payments", "/host"))
    expect(lines.join(" ")).not.toContain("secret")
  })
})
