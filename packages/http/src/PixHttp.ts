import {
  type Charge,
  type Cnpj,
  CompanyDirectory,
  type Exchange,
  isExpired,
  parseChargeId,
  PaymentNotices,
  PaymentSimulation,
  PixCharges,
  type Reply,
} from "@pixcharge/core"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { readJson } from "./readJson.ts"
import { type Route, routeOf } from "./routes.ts"
import { Tokens } from "./tokens.ts"
import { chargeReplyBody, decodeChargeBody } from "./wire/ChargeBody.ts"
import { failureReply, jsonReply } from "./wire/Envelope.ts"
import { failureOf, type OperationError, retryAfterSeconds } from "./wire/failures.ts"
import { chargeFailures, exchangeFailures, type Failure, invalidField } from "./wire/messages.ts"
import { refundBody, simulationBody, statusBody } from "./wire/StatusBody.ts"

/** The one server behind every binding: plain data in, plain data out (design §2). */
export class PixHttp extends Context.Service<
  PixHttp,
  {
    /** Whether a request is ours to answer; the host's own otherwise. `url` is path and query below the mount. */
    readonly handles: (method: string, url: string) => boolean
    /** Answers every request, whatever is in it; never fails. */
    readonly respond: (exchange: Exchange) => Effect.Effect<Reply>
  }
>()("@pixcharge/http/PixHttp") {
  static readonly layer = Layer.effect(PixHttp, Effect.suspend(make))
}

/** Tells the caller; what the host's operator must know of is logged with its cause, and without the path. */
const failed = (route: Route, error: OperationError): Effect.Effect<Reply> => {
  const failure = failureOf(error)
  const seconds = retryAfterSeconds(error)
  const reply = failureReply(failure, seconds === undefined ? undefined : { "retry-after": String(seconds) })
  if (failure.status < 500) return Effect.succeed(reply)
  const log = failure.status === 500 ? Effect.logError : Effect.logWarning
  return Effect.as(log("A request could not be carried out", route._tag, error), reply)
}

const unauthenticated = (failure: Failure): Reply => failureReply(failure, { "www-authenticate": "Bearer" })

/** What is told of a charge that is not paid. */
const unpaidFailure = (charge: Exclude<Charge, { _tag: "Paid" }>, now: number): Failure => {
  switch (charge._tag) {
    case "Pending":
      return isExpired(charge, now) ? chargeFailures.expired : chargeFailures.pending
    case "Refunding":
      return chargeFailures.refunding
    case "Refunded":
      return chargeFailures.refunded
    case "Cancelled":
      return chargeFailures.cancelled
  }
}

// The path is never logged: the token route's holds a secret.
const defect = (route: Route, cause: Cause.Cause<never>) =>
  Effect.as(Effect.logError("A request ended in a defect", route._tag, cause), failureReply(exchangeFailures.internal))

function make() {
  return Effect.gen(function* () {
    const tokens = yield* Tokens
    const charges = yield* PixCharges
    const directory = yield* CompanyDirectory
    const simulation = Option.getOrUndefined(yield* Effect.serviceOption(PaymentSimulation))
    const notices = Option.getOrUndefined(yield* Effect.serviceOption(PaymentNotices))

    const isNotice = (url: string): boolean => notices !== undefined && isBelow(notices.path, url)

    const token = (secretPath: string) =>
      tokens.issue(secretPath).pipe(
        Effect.map((jwt) => jsonReply(200, { sucesso: true, data: jwt }, { "referrer-policy": "no-referrer" })),
        Effect.catchTag("Unauthenticated", () => Effect.succeed(unauthenticated(exchangeFailures.badCredentials))),
      )

    const issue = Effect.fnUntraced(function* (issuer: Cnpj, exchange: Exchange) {
      const json = yield* Effect.result(readJson(exchange))
      if (Result.isFailure(json)) return failureReply(json.failure)
      const request = decodeChargeBody(json.success)
      if (Result.isFailure(request)) return failureReply(invalidField(request.failure))
      return jsonReply(200, chargeReplyBody(yield* charges.issue(issuer, request.success)))
    })

    const status = Effect.fnUntraced(function* (issuer: Cnpj, text: string) {
      const id = parseChargeId(text)
      if (Result.isFailure(id)) return failureReply(exchangeFailures.invalidId)
      const charge = yield* charges.find(issuer, id.success)
      if (charge._tag !== "Paid") return failureReply(unpaidFailure(charge, yield* Clock.currentTimeMillis))
      const entry = yield* directory.find(issuer)
      if (entry === undefined) return failureReply(chargeFailures.notFound)
      return jsonReply(200, statusBody(charge, entry.company))
    })

    const refund = Effect.fnUntraced(function* (issuer: Cnpj, text: string) {
      const id = parseChargeId(text)
      if (Result.isFailure(id)) return failureReply(exchangeFailures.invalidId)
      const charge = yield* charges.refund(issuer, id.success)
      return jsonReply(charge._tag === "Refunded" ? 200 : 202, refundBody(charge))
    })

    const simulate = Effect.fnUntraced(function* (payer: PaymentSimulation["Service"], issuer: Cnpj, text: string) {
      const id = parseChargeId(text)
      if (Result.isFailure(id)) return failureReply(exchangeFailures.invalidId)
      yield* payer.simulate(issuer, id.success)
      return jsonReply(200, simulationBody)
    })

    const asCompany = (exchange: Exchange, use: (issuer: Cnpj) => Effect.Effect<Reply, OperationError>) =>
      tokens.authenticate(exchange.header("authorization")).pipe(
        Effect.flatMap(use),
        Effect.catchTag("Unauthenticated", () => Effect.succeed(unauthenticated(exchangeFailures.unauthenticated))),
      )

    const answer = (route: Route, exchange: Exchange): Effect.Effect<Reply, OperationError> => {
      switch (route._tag) {
        case "Token":
          return token(route.secretPath)
        case "Issue":
          return asCompany(exchange, (issuer) => issue(issuer, exchange))
        case "Status":
          return asCompany(exchange, (issuer) => status(issuer, route.id))
        case "Refund":
          return asCompany(exchange, (issuer) => refund(issuer, route.id))
        case "Simulate":
          // Production has no simulation, whoever asks and whatever the id (decision 17).
          return simulation === undefined
            ? Effect.succeed(failureReply(exchangeFailures.notFound))
            : asCompany(exchange, (issuer) => simulate(simulation, issuer, route.id))
        case "WrongMethod":
          return Effect.succeed(failureReply(exchangeFailures.methodNotAllowed, { allow: route.allow }))
        case "Unknown":
          return notices !== undefined && isNotice(exchange.url)
            ? notices.handle(exchange)
            : Effect.succeed(failureReply(exchangeFailures.notFound))
      }
    }

    return PixHttp.of({
      handles: (method, url) => routeOf(method, url)._tag !== "Unknown" || isNotice(url),
      respond: (exchange) => {
        const route = routeOf(exchange.method, exchange.url)
        return Effect.suspend(() => answer(route, exchange)).pipe(
          Effect.catch((error) => failed(route, error)),
          Effect.catchCause((cause) => defect(route, cause)),
        )
      },
    })
  })
}

/** Whether a URL's path is this one or lies below it; doubled slashes count as one, for processors that write them. */
const isBelow = (path: string, url: string): boolean => {
  const asked = url.split("?", 1)[0]?.replace(/\/{2,}/g, "/") ?? ""
  return asked === path || asked.startsWith(`${path}/`)
}
