import { type LeasedQueue, Outbox, type QueueClaim, type StoreUnavailable } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { makeShardClaims } from "./makeShardClaims.ts"
import type { IdleShards } from "./IdleShards.ts"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** Claims queues from the shards that are neither idle nor owed settlements; from none while it isn't known which are owed some. */
export const makeQueueClaims = Effect.fnUntraced(function* (
  shards: StoreShards,
  idle: IdleShards,
  owedShards: Effect.Effect<ReadonlySet<string>, StoreUnavailable>,
) {
  const claimQueues = yield* makeShardClaims<ClaimRequest, LeasedQueue>(shards, {
    complaint: "The queues of a shard could not be claimed; those of others are",
    selectShards: (request) =>
      owedShards.pipe(
        Effect.map(
          (owed) =>
            ({ id }: ShardPorts) =>
              !owed.has(id) && !idle.isIdle(id, request),
        ),
        Effect.orElseSucceed(() => () => false),
      ),
    // What was read for a claim that is over may have been withdrawn since.
    toLate: ({ lease }) => ({ lease, due: [] }),
    claim: (shard, request) =>
      Effect.suspend(() => {
        const changesBefore = idle.beginClaim(shard.id)
        return Effect.map(Context.get(shard.ports, Outbox).claim(request), (claim) => {
          idle.recordClaim(shard.id, request, claim, changesBefore)
          return claim.queues
        })
      }),
  })

  return Effect.fnUntraced(function* (request: ClaimRequest) {
    const queues = yield* claimQueues(request)
    const nextDueAt = yield* shards.all.pipe(
      Effect.map((all) => Math.min(...all.map(({ id }) => idle.findNextDueAt(id, request)))),
      // The queues are leased by now, so they are returned all the same.
      Effect.orElseSucceed(() => request.now),
    )
    const claimed: QueueClaim = { queues }
    return Number.isFinite(nextDueAt) ? { ...claimed, nextDueAt } : claimed
  })
})
