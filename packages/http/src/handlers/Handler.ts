import { type ChargeId, type Cnpj, type Exchange, parseChargeId, type Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Tokens } from "../Tokens.ts"
import { failureReply } from "../wire/Envelope.ts"
import type { OperationError } from "../wire/failures.ts"
import { exchangeFailures, type Failure } from "../wire/messages.ts"

/** Answers one route; `parameter` is what the path has in the place of the route's parameter. */
export type Handler = (exchange: Exchange, parameter: string) => Effect.Effect<Reply, OperationError>

/** Answers a company that has authenticated. */
type CompanyHandler = (issuer: Cnpj, exchange: Exchange, parameter: string) => Effect.Effect<Reply, OperationError>

/** A 401 that names the scheme (RFC 9110, 11.6.1). */
export const unauthenticatedReply = (failure: Failure): Reply => failureReply(failure, { "www-authenticate": "Bearer" })

/** Asks for the token of a company before anything else is read of the request. */
export const asCompany =
  (tokens: Tokens["Service"], handle: CompanyHandler): Handler =>
  (exchange, parameter) =>
    tokens.authenticate(exchange.header("authorization")).pipe(
      Effect.flatMap((issuer) => handle(issuer, exchange, parameter)),
      Effect.catchTag("Unauthenticated", () => Effect.succeed(unauthenticatedReply(exchangeFailures.unauthenticated))),
    )

/** Takes the parameter for the id of a charge; a malformed one is a 400 (decision 35). */
export const onCharge =
  (handle: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Reply, OperationError>): CompanyHandler =>
  (issuer, _, parameter) => {
    const id = parseChargeId(parameter)
    return Result.isFailure(id) ? Effect.succeed(failureReply(exchangeFailures.invalidId)) : handle(issuer, id.success)
  }
