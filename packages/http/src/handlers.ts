import { CompanyDirectory, type Exchange, PaymentSimulation, PixCharges, type Reply } from "@pixcharge/core"
import { type Charge, type ChargeId, isCoded, isExpired, parseChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { mayBeCycleCharge } from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Tokens } from "./tokens/Tokens.ts"
import { parseBasic, parseSecret, type Secret, toSecret } from "./tokens/authorization.ts"
import { readJson } from "./readJson.ts"
import type { RouteName } from "./wire/routes.ts"
import { chargeReplyBody, decodeChargeBody } from "./wire/ChargeBody.ts"
import { failureReply, jsonReply, notFoundReply, unauthenticatedReply } from "./wire/Envelope.ts"
import { refundBody, simulationBody, statusBody } from "./wire/StatusBody.ts"
import { isCredentialsBody, tokenBody } from "./wire/TokenBody.ts"
import { chargeFailures, exchangeFailures, type Failure, invalidField, type OperationError } from "./wire/messages.ts"

type Answer = Effect.Effect<Reply, OperationError>

/** `parameter` is the last segment of the path, if the route has one. */
type Handler = (exchange: Exchange, parameter: string) => Answer

/** `now` is in epoch milliseconds. */
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

const issueToken = (tokens: Tokens["Service"], secret: Secret | undefined, exchange: Exchange): Answer =>
  tokens.issue(secret, exchange).pipe(
    Effect.map((jwt) => jsonReply(200, tokenBody(jwt), { "referrer-policy": "no-referrer" })),
    Effect.catchTag("Unauthenticated", () => Effect.succeed(unauthenticatedReply(exchangeFailures.badCredentials))),
  )

const issueTokenByPost = (tokens: Tokens["Service"]): Handler =>
  Effect.fnUntraced(function* (exchange) {
    const secret = yield* Effect.promise(() => readCredentials(exchange))
    return Result.isFailure(secret) ? failureReply(secret.failure) : yield* issueToken(tokens, secret.success, exchange)
  })

const issueCharge =
  (charges: PixCharges["Service"]) =>
  (issuer: Cnpj, exchange: Exchange): Answer =>
    Effect.flatMap(
      Effect.promise(() => readJson(exchange)),
      (json): Answer => {
        if (Result.isFailure(json)) return Effect.succeed(failureReply(json.failure))
        const request = decodeChargeBody(json.success)
        if (Result.isFailure(request)) return Effect.succeed(failureReply(invalidField(request.failure)))
        return Effect.map(charges.issue(issuer, request.success), (charge) => jsonReply(200, chargeReplyBody(charge)))
      },
    )

const queryStatus = (charges: PixCharges["Service"], directory: CompanyDirectory["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
    const charge = yield* charges.find(issuer, id)
    if (charge._tag !== "Paid") return failureReply(unpaidFailure(charge, yield* Clock.currentTimeMillis))
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return failureReply(chargeFailures.notFound)
    return jsonReply(200, statusBody(charge, entry.company))
  })

const refundCharge =
  (charges: PixCharges["Service"]) =>
  (issuer: Cnpj, id: ChargeId): Answer =>
    Effect.map(charges.refund(issuer, id), (charge) =>
      jsonReply(charge._tag === "Refunded" ? 200 : 202, refundBody(charge)),
    )

/** The host's page for unknown paths could repeat the secret. */
const closed: Handler = () => Effect.sync(notFoundReply)

export const makeHandlers = Effect.gen(function* () {
  const tokens = yield* Tokens
  const charges = yield* PixCharges
  const directory = yield* CompanyDirectory
  const simulation = Option.getOrUndefined(yield* Effect.serviceOption(PaymentSimulation))

  /** Requires a company's token before reading the rest of the request. */
  const asCompany =
    (handle: (issuer: Cnpj, exchange: Exchange, parameter: string) => Answer): Handler =>
    (exchange, parameter) =>
      Effect.flatMap(tokens.authenticate(exchange.header("authorization")), (issuer) =>
        handle(issuer, exchange, parameter),
      )

  /** The contract has no charges of cycles, so it treats their ids as unknown. */
  const handleCoded = (issuer: Cnpj, id: ChargeId, handle: (issuer: Cnpj, id: ChargeId) => Answer): Answer =>
    Effect.flatMap(charges.find(issuer, id), (charge) =>
      isCoded(charge) ? handle(issuer, id) : Effect.succeed(failureReply(chargeFailures.notFound)),
    )

  /** Parses the parameter as a charge's id; a malformed id answers 400 (decision 35). */
  const onCharge = (handle: (issuer: Cnpj, id: ChargeId) => Answer) =>
    asCompany((issuer, _, parameter) => {
      const id = parseChargeId(parameter)
      return Result.isFailure(id)
        ? Effect.succeed(failureReply(exchangeFailures.invalidId))
        : mayBeCycleCharge(id.success)
          ? handleCoded(issuer, id.success, handle)
          : handle(issuer, id.success)
    })

  const handlers: Readonly<Record<RouteName, Handler>> = {
    token: tokens.takesPath ? (exchange, parameter) => issueToken(tokens, parseSecret(parameter), exchange) : closed,
    tokenByPost: issueTokenByPost(tokens),
    issue: asCompany(issueCharge(charges)),
    status: onCharge(queryStatus(charges, directory)),
    refund: onCharge(refundCharge(charges)),
    // In production, the route answers 404 for every caller and id (decision 17).
    simulate:
      simulation === undefined
        ? closed
        : onCharge((issuer, id) => Effect.as(simulation.simulate(issuer, id), jsonReply(200, simulationBody))),
  }
  return handlers
})

/**
 * Reads an `Authorization: Basic` header, or else the body.
 *
 * Unreadable credentials are undefined, so they count as wrong. An unreadable body is a failure.
 */
const readCredentials = async (exchange: Exchange): Promise<Result.Result<Secret | undefined, Failure>> => {
  const basic = parseBasic(exchange.header("authorization"))
  if (basic !== null) return Result.succeed(basic)
  return Result.map(await readJson(exchange), (json) =>
    isCredentialsBody(json) ? toSecret(json.cnpj, json.chave) : undefined,
  )
}
