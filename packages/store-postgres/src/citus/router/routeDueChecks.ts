import { type ClaimRequest, DueChecks } from "@pixcharge/core"
import type { Charge, PaymentException } from "@pixcharge/core/charges"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreShards } from "../Shards.ts"
import { callPortAtCompany } from "./callAtCompany.ts"
import { makeShardClaims } from "./makeShardClaims.ts"

/** When charges and refunds are due for a check, in shards. */
export const routeDueChecks = Effect.fnUntraced(function* (shards: StoreShards) {
  const at = callPortAtCompany(shards, DueChecks)

  return DueChecks.of({
    claimCharges: yield* makeShardClaims<ClaimRequest, Charge>(shards, {
      claim: ({ ports }, request) => Context.get(ports, DueChecks).claimCharges(request),
      complaint: "The checks of a shard that are due could not be claimed; those of others are",
    }),
    claimExceptions: yield* makeShardClaims<ClaimRequest, PaymentException>(shards, {
      claim: ({ ports }, request) => Context.get(ports, DueChecks).claimExceptions(request),
      complaint: "The refunds of a shard that are due could not be claimed; those of others are",
    }),
    scheduleCharge: (charge, checkAt, made) =>
      at(charge.issuer, (checks) => checks.scheduleCharge(charge, checkAt, made)),
    scheduleException: (exception, checkAt) =>
      at(exception.payment.issuer, (checks) => checks.scheduleException(exception, checkAt)),
  })
})
