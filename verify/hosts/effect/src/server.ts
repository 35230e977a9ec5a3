import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Checkout, PixCharges } from "@pixcharge/core"
import { parseChargeRequest } from "@pixcharge/core/charges"
import { fetchHandler, PixHttp, StreamsEnd } from "@pixcharge/http"
import { Effect, Layer } from "effect"
import { HttpEffect, HttpRouter, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { PixLive, shop } from "./pix.js"

const payments = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { respond } = yield* PixHttp
    const run = Effect.runPromiseWith(yield* Effect.context())
    const handle = fetchHandler(
      {
        respond: (exchange) => {
          const reply = respond(exchange)
          return reply && run(reply)
        },
      },
      "/payments",
    )
    yield* router.add("*", "/payments/*", HttpEffect.fromWebHandler(handle))
  }),
)
const buy = HttpRouter.add(
  "GET",
  "/buy",
  Effect.gen(function* () {
    const charges = yield* PixCharges
    const request = yield* Effect.fromResult(parseChargeRequest({ id: randomUUID(), amountCents: 1990 }))
    const { id } = yield* charges.issue(shop, request)
    // Only a Layer with the option `checkout` has it.
    const pages = yield* Effect.flatMap(Effect.serviceOption(Checkout), Effect.fromOption)
    return HttpServerResponse.redirect(yield* pages.link(shop, id, {}))
  }),
)
const home = HttpRouter.add("GET", "/", HttpServerResponse.text("a shop"))
const ending = new AbortController()

const server = HttpRouter.serve(Layer.mergeAll(payments, buy, home), {
  // It would log the path of the token route, which holds a secret.
  disableLogger: true,
}).pipe(
  Layer.provide(PixLive),
  Layer.provide(Layer.succeed(StreamsEnd, ending.signal)),
  Layer.provide(NodeHttpServer.layer(createServer, { port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" })),
)

// It ends before the server, which waits for open pages.
const endStreams = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => ending.abort())))

NodeRuntime.runMain(Layer.launch(Layer.provideMerge(endStreams, server)))
