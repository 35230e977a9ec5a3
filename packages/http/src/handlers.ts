import {
  type Charge,
  type ChargeId,
  type Cnpj,
  CompanyDirectory,
  type Exchange,
  isExpired,
  type IssuedCharge,
  parseChargeId,
  PaymentSimulation,
  PixCharges,
  type Reply,
} from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { parseSecret, type Secret } from "./parseSecret.ts"
import { readCredentials } from "./readCredentials.ts"
import { readJson } from "./readJson.ts"
import type { RouteName } from "./routes.ts"
import { Tokens } from "./Tokens.ts"
import { chargeReplyBody, decodeChargeBody } from "./wire/ChargeBody.ts"
import { failureReply, jsonReply, notFoundReply, unauthenticatedReply } from "./wire/Envelope.ts"
import type { OperationError } from "./wire/failures.ts"
import { chargeFailures, exchangeFailures, type Failure, invalidField } from "./wire/messages.ts"
import { refundBody, simulationBody, statusBody } from "./wire/StatusBody.ts"
import { tokenBody } from "./wire/TokenBody.ts"

type Answer = Effect.Effect<Reply, OperationError>

/** Answers one route; `parameter` is what the path has in the place of the route's parameter. */
type Handler = (exchange: Exchange, parameter: string) => Answer

/** What the caller learns of a charge that is not paid; `now` in epoch milliseconds. */
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

/** What answers each route of the contract. */
export const makeHandlers = Effect.gen(function* () {
  const tokens = yield* Tokens
  const charges = yield* PixCharges
  const directory = yield* CompanyDirectory
  const simulation = Option.getOrUndefined(yield* Effect.serviceOption(PaymentSimulation))

  /** Asks for a company's token before anything else is read of the request. */
  const asCompany =
    (handle: (issuer: Cnpj, exchange: Exchange, parameter: string) => Answer): Handler =>
    (exchange, parameter) =>
      Effect.flatMap(tokens.authenticate(exchange.header("authorization")), (issuer) =>
        handle(issuer, exchange, parameter),
      )

  /** Reads the parameter as the id of a charge of the company; a malformed one is a 400 (decision 35). */
  const onCharge = (handle: (issuer: Cnpj, id: ChargeId) => Answer) =>
    asCompany((issuer, _, parameter) => {
      const id = parseChargeId(parameter)
      return Result.isFailure(id)
        ? Effect.succeed(failureReply(exchangeFailures.invalidId))
        : handle(issuer, id.success)
    })

  const tokenFor = (secret: Secret | undefined, exchange: Exchange) =>
    tokens.issue(secret, exchange).pipe(
      Effect.map((jwt) => jsonReply(200, tokenBody(jwt), { "referrer-policy": "no-referrer" })),
      Effect.catchTag("Unauthenticated", () => Effect.succeed(unauthenticatedReply(exchangeFailures.badCredentials))),
    )

  const token: Handler = (exchange, parameter) => tokenFor(parseSecret(parameter), exchange)

  const tokenByPost = Effect.fnUntraced(function* (exchange: Exchange) {
    const secret = yield* Effect.promise(() => readCredentials(exchange))
    return Result.isFailure(secret) ? failureReply(secret.failure) : yield* tokenFor(secret.success, exchange)
  })

  const issued = (charge: IssuedCharge) => jsonReply(200, chargeReplyBody(charge))

  const issue = (issuer: Cnpj, exchange: Exchange): Answer =>
    Effect.flatMap(
      Effect.promise(() => readJson(exchange)),
      (json): Answer => {
        if (Result.isFailure(json)) return Effect.succeed(failureReply(json.failure))
        const request = decodeChargeBody(json.success)
        if (Result.isFailure(request)) return Effect.succeed(failureReply(invalidField(request.failure)))
        return Effect.map(charges.issue(issuer, request.success), issued)
      },
    )

  const status = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
    const charge = yield* charges.find(issuer, id)
    if (charge._tag !== "Paid") return failureReply(unpaidFailure(charge, yield* Clock.currentTimeMillis))
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return failureReply(chargeFailures.notFound)
    return jsonReply(200, statusBody(charge, entry.company))
  })

  const refund = (issuer: Cnpj, id: ChargeId) =>
    Effect.map(charges.refund(issuer, id), (charge) =>
      jsonReply(charge._tag === "Refunded" ? 200 : 202, refundBody(charge)),
    )

  const simulate = (payer: PaymentSimulation["Service"]) => (issuer: Cnpj, id: ChargeId) =>
    Effect.as(payer.simulate(issuer, id), jsonReply(200, simulationBody))

  const handlers: Readonly<Record<RouteName, Handler>> = {
    // What came in the path is not repeated, as a page of the host's for unknown paths might.
    token: tokens.takesPath ? token : () => Effect.sync(notFoundReply),
    tokenByPost,
    issue: asCompany(issue),
    status: onCharge(status),
    refund: onCharge(refund),
    // Production has no simulation, whoever asks and whatever the id (decision 17).
    simulate: simulation === undefined ? () => Effect.sync(notFoundReply) : onCharge(simulate(simulation)),
  }
  return handlers
})
