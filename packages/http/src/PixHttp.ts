import {
  Checkout,
  type CheckoutRoute,
  type Exchange,
  type NoticesRoute,
  PaymentNotices,
  type Reply,
} from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { findRefusal } from "./readJson.ts"
import { makeHandlers } from "./handlers.ts"
import { makeRouter, type Match, type Router } from "./makeRouter.ts"
import { checkNoticesPath } from "./wire/routes.ts"
import { documentReply, failureReply, notFoundReply, unauthenticatedReply } from "./wire/Envelope.ts"
import { exchangeFailures, findRetryAfterSeconds, type OperationError, toFailure } from "./wire/messages.ts"

/** The server behind every binding. It takes and returns plain data. */
export class PixHttp extends Context.Service<
  PixHttp,
  {
    /** Answers a request and never fails; undefined if the request belongs to the host, as in `Responder` (decision 29). */
    readonly respond: (exchange: Exchange) => Effect.Effect<Reply> | undefined
  }
>()("@pixcharge/http/PixHttp") {
  /**
   * Serves the contract, the processor's notices and the payers' pages. With `servesOpenApi`, also serves the contract's
   * document at `GET /api/openapi.json`.
   */
  static readonly layer = <E = never, R = never, CheckoutE = never, CheckoutR = never>(
    notices?: NoticesRoute<E, R>,
    servesOpenApi = false,
    checkout?: CheckoutRoute<CheckoutE, CheckoutR>,
  ) =>
    Layer.effect(
      PixHttp,
      Effect.flatMap(checkNoticesPath(notices?.path, checkout?.path), (path) =>
        make(makeRouter({ notices: path, openApi: servesOpenApi, checkout: checkout?.path })),
      ),
    ).pipe(Layer.provide(notices?.layer ?? Layer.empty))
}

const make = Effect.fnUntraced(function* (findRoute: Router) {
  const handlers = yield* makeHandlers
  const notices = Option.getOrUndefined(yield* Effect.serviceOption(PaymentNotices))
  const checkout = Option.getOrUndefined(yield* Effect.serviceOption(Checkout))

  const answer = (match: Match, exchange: Exchange): Effect.Effect<Reply, OperationError> => {
    switch (match._tag) {
      case "Route":
        return handlers[match.name](exchange, match.parameter)
      case "WrongMethod":
        return Effect.succeed(failureReply(exchangeFailures.methodNotAllowed, { allow: match.allow }))
      case "OpenApi":
        return openApiReply
      case "Notices":
        return notices?.handle(exchange, match.below) ?? Effect.sync(notFoundReply)
      case "Checkout":
        return checkout?.handle(exchange, match.below) ?? Effect.sync(notFoundReply)
      case "Ambiguous":
        return Effect.sync(notFoundReply)
    }
  }

  return PixHttp.of({
    respond: (exchange) => {
      const match = findRoute(exchange.method, exchange.url)
      if (match === undefined) return undefined
      const refused = findRefusal(exchange)
      if (refused !== undefined) return Effect.succeed(failureReply(refused))
      return Effect.catchCause(
        Effect.suspend(() => answer(match, exchange)),
        (cause) => replyToCause(match, cause),
      )
    },
  })
})

/** A route's name for the log. It isn't the path, because the token route's path holds a secret. */
const routeLabel = (match: Match): string => (match._tag === "Route" ? match.name : match._tag)

const replyToError = (match: Match, error: OperationError): Effect.Effect<Reply> => {
  if (error._tag === "Unauthenticated") return Effect.succeed(unauthenticatedReply(exchangeFailures.unauthenticated))
  const failure = toFailure(error)
  const seconds = findRetryAfterSeconds(error)
  const reply = failureReply(failure, seconds === undefined ? undefined : { "retry-after": String(seconds) })
  if (failure.status < 500) return Effect.succeed(reply)
  const level = failure.status === 500 ? "Error" : "Warn"
  return Effect.as(logFailure(level, `A request could not be carried out: ${routeLabel(match)}`, error), reply)
}

const replyToCause = (match: Match, cause: Cause.Cause<OperationError>): Effect.Effect<Reply> => {
  const error = Cause.findError(cause)
  return Result.isFailure(error) || Cause.hasDies(cause)
    ? replyToDefect(match, cause)
    : Effect.catchCause(replyToError(match, error.success), (later) => replyToDefect(match, later))
}

const replyToDefect = (match: Match, cause: Cause.Cause<unknown>): Effect.Effect<Reply> =>
  Effect.as(
    logFailure("Error", `A request ended in a defect: ${routeLabel(match)}`, cause),
    failureReply(exchangeFailures.internal),
  )

/** Loads the document at the first request, because most hosts never serve it. */
const openApiReply: Effect.Effect<Reply> = Effect.map(
  Effect.promise(() => import("./contract/openApiText.ts")),
  ({ openApiText, openApiTag }) => documentReply(openApiText, openApiTag),
)
