import { type ClaimedReconciliation, Reconciliations } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { callPortAtCompany } from "./callAtCompany.ts"
import { callAtEveryShard } from "./callAtEveryShard.ts"
import { makeShardClaims } from "./makeShardClaims.ts"

type Request = Parameters<Reconciliations["Service"]["claim"]>[0]

const getReconciliations = ({ ports }: ShardPorts) => Context.get(ports, Reconciliations)

/**
 * How far each company is reconciled with its processor, in shards. While a shard fails, new companies of the others are entered, and
 * its own by a later call.
 */
export const routeReconciliations = Effect.fnUntraced(function* (shards: StoreShards) {
  const at = callPortAtCompany(shards, Reconciliations)
  const everyShard = callAtEveryShard(shards)

  const claims = yield* makeShardClaims<Request & { readonly limit: number }, ClaimedReconciliation>(shards, {
    claim: (shard, request) =>
      Effect.map(getReconciliations(shard).claim(request), (claimed) => (claimed ? [claimed] : [])),
    complaint: "The companies of a shard whose turn has come could not be claimed; those of others are",
  })

  return Reconciliations.of({
    enter: Effect.fnUntraced(function* (now) {
      const { answers, failures } = yield* everyShard((shard) => getReconciliations(shard).enter(now))
      const [failure] = failures
      if (failure !== undefined && answers.length === 0) return yield* Effect.fail(failure)
      if (failure !== undefined) yield* logFailure("Warn", "New companies of a shard could not be entered", failure)
      return answers.reduce((sum, entered) => sum + entered, 0)
    }),
    wake: (issuer, now) => at(issuer, (reconciliations) => reconciliations.wake(issuer, now)),
    claim: (request) => Effect.map(claims({ ...request, limit: 1 }), ([claimed]) => claimed),
    save: (claimed, turn) => at(claimed.issuer, (reconciliations) => reconciliations.save(claimed, turn)),
    waiting: (issuer, search) => at(issuer, (reconciliations) => reconciliations.waiting(issuer, search)),
  })
})
