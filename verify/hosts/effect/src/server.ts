import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Checkout, PixCharges } from "@pixcharge/core"
import { parseChargeRequest } from "@pixcharge/core/charges"
import { StreamsEnd } from "@pixcharge/http"
import { pixRoutes } from "@pixcharge/http/effect"
import { Config, Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { PixLive, shop } from "./pix.js"

const buy = HttpRouter.add(
  "GET",
  "/buy",
  Effect.gen(function* () {
    const charges = yield* PixCharges
    const pages = yield* Checkout
    const request = yield* Effect.fromResult(parseChargeRequest({ id: randomUUID(), amountCents: 1990 }))
    const { id } = yield* charges.issue(shop, request)
    return HttpServerResponse.redirect(yield* pages.link(shop, id, {}))
  }),
)
const home = HttpRouter.add("GET", "/", HttpServerResponse.text("a shop"))
const ending = new AbortController()

/** An integrator's key and a payer's link are part of a path, which the span of Effect's server would show. */
const holdsSecret = ({ url }: HttpServerRequest.HttpServerRequest) =>
  /^\/payments\/(api\/token|pagar|webhooks)\//.test(url)

const server = HttpRouter.serve(Layer.mergeAll(pixRoutes("/payments"), buy, home), {
  // The router itself answers paths whose encoding is broken, and would log them: the token route's holds a secret.
  disableLogger: true,
}).pipe(
  Layer.provide(PixLive),
  Layer.provide(Layer.succeed(StreamsEnd, ending.signal)),
  Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, holdsSecret)),
  Layer.provide(
    NodeHttpServer.layerConfig(createServer, {
      port: Config.Port("PORT").pipe(Config.withDefault(3000)),
      host: Config.succeed("127.0.0.1"),
    }),
  ),
)

// It ends before the server, which waits for open pages.
const endStreams = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => ending.abort())))

NodeRuntime.runMain(Layer.launch(Layer.provideMerge(endStreams, server)))
