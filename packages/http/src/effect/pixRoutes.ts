import type { Exchange, ExchangeBody, Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Readable } from "node:stream"
import { leavesUnread, readBody, readStream, readWholeBody, refuseUnread } from "../exchangeBody.ts"
import { checkBase, frameReply, stripBase } from "../fetchHandler.ts"
import { pathAndQuery } from "../paths.ts"
import { PixHttp } from "../PixHttp.ts"
import { notFoundReply } from "../wire/Envelope.ts"

const wasRead = (source: object): boolean =>
  source instanceof Readable ? source.readableDidRead : source instanceof Request && source.bodyUsed

/** `url` is the path below the mount. */
class EffectExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly fullUrl: string
  readonly address: string | undefined
  readonly frameworkRequest: HttpServerRequest.HttpServerRequest
  readonly #leaving = new AbortController()
  #body: ExchangeBody | undefined

  constructor(request: HttpServerRequest.HttpServerRequest, url: string) {
    this.method = request.method
    this.url = url
    this.fullUrl = pathAndQuery(request.originalUrl)
    this.address = Option.getOrUndefined(request.remoteAddress)
    this.frameworkRequest = request
  }

  header(name: string): string | undefined {
    return this.frameworkRequest.headers[name]
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const refused = refuseUnread(this, maxBytes)
    if (refused !== undefined) return refused
    this.#body = await this.#read(maxBytes)
    return this.#body
  }

  #read(maxBytes: number): Promise<ExchangeBody> {
    const { source, stream, arrayBuffer } = this.frameworkRequest
    // Effect keeps a body that the host's middleware has read.
    if (wasRead(source)) return readWholeBody(() => Effect.runPromise(arrayBuffer), maxBytes)
    // Effect's own stream sends `100 Continue` if the caller waits for it. If that stream ended early, Node's socket would be
    // destroyed before the answer.
    return source instanceof Readable && this.header("expect") === undefined
      ? readStream(source, maxBytes)
      : readBody(Stream.toAsyncIterable(stream), maxBytes)
  }

  get hasUnreadBody(): boolean {
    return leavesUnread(this, this.#body)
  }

  get signal(): AbortSignal {
    return this.#leaving.signal
  }

  /** Aborts if the caller disconnected or the server is ending. */
  endWith(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> {
    return Effect.sync(() => (Exit.isFailure(exit) ? this.#leaving.abort() : undefined))
  }
}

const toServerResponse = (reply: Reply, exchange: EffectExchange): HttpServerResponse.HttpServerResponse => {
  const { body, ...head } = frameReply(reply, exchange)
  const options = { ...head, contentType: head.headers["content-type"] ?? "" }
  if (body === null) return HttpServerResponse.empty(head)
  if (typeof body === "string") return HttpServerResponse.text(body, options)
  if (body instanceof Uint8Array) return HttpServerResponse.uint8Array(body, options)
  const pieces = Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error })
  // The empty piece makes Node send the head immediately, because the first event can come late.
  return HttpServerResponse.stream(
    Stream.onExit(Stream.prepend(pieces, [new Uint8Array()]), (exit) => exchange.endWith(exit)),
    options,
  )
}

/**
 * pixcharge's routes below a path of Effect's `HttpRouter`. Throws `InvalidOption` if `basePath` isn't a plain path.
 *
 * A request runs in its route's fiber, below the host's span, and is interrupted if its caller disconnects. The access log
 * omits these routes, because the token route's path holds a secret. To hide that path everywhere, also give the server
 * `disableLogger`, because the router logs paths with broken encoding, and `HttpMiddleware.TracerDisabledWhen`, because the
 * server's span shows the path.
 *
 * @example
 * HttpRouter.serve(Layer.merge(pixRoutes("/payments"), home)).pipe(Layer.provide(PixLive))
 */
export const pixRoutes = (basePath = "/"): Layer.Layer<never, never, HttpRouter.HttpRouter | PixHttp> => {
  const base = checkBase(basePath)
  return HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { respond } = yield* PixHttp
      const answer = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const url = stripBase(base, request.url)
        const exchange = new EffectExchange(request, url ?? "/")
        const reply = url === undefined ? undefined : respond(exchange)
        if (reply === undefined) return toServerResponse(notFoundReply(), exchange)
        return toServerResponse(yield* Effect.onExit(reply, (exit) => exchange.endWith(exit)), exchange)
      })
      yield* router.add("*", `${base as "/"}/*`, (request) => HttpMiddleware.withLoggerDisabled(answer(request)))
    }),
  )
}
