import { type LeasedQueue, Outbox, type QueueClaim, type StoreUnavailable } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { makeShardClaims } from "./makeShardClaims.ts"
import type { QuietShards } from "./QuietShards.ts"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** Claims queues from the shards that don't rest and aren't owed settlements; from none while it isn't known which are. */
export const makeQueueClaims = Effect.fnUntraced(function* (
  shards: StoreShards,
  quiet: QuietShards,
  owedShards: Effect.Effect<ReadonlySet<string>, StoreUnavailable>,
) {
  const claimQueues = yield* makeShardClaims<ClaimRequest, LeasedQueue>(shards, {
    complaint: "The queues of a shard could not be claimed; those of others are",
    wanted: (request) =>
      owedShards.pipe(
        Effect.map(
          (owed) =>
            ({ id }: ShardPorts) =>
              !owed.has(id) && !quiet.isQuiet(id, request),
        ),
        Effect.orElseSucceed(() => () => false),
      ),
    // What was read for a claim that is over may have been withdrawn since.
    late: ({ lease }) => ({ lease, due: [] }),
    claim: (shard, request) =>
      Effect.suspend(() => {
        const changes = quiet.noteAsked(shard.id)
        return Effect.map(Context.get(shard.ports, Outbox).claim(request), (claim) => {
          quiet.noteClaim(shard.id, request, claim, changes)
          return claim.queues
        })
      }),
  })

  return Effect.fnUntraced(function* (request: ClaimRequest) {
    const queues = yield* claimQueues(request)
    const nextDueAt = yield* shards.all.pipe(
      Effect.map((all) => Math.min(...all.map(({ id }) => quiet.nextDueAt(id, request)))),
      // What is leased by now is given all the same.
      Effect.orElseSucceed(() => request.now),
    )
    const claimed: QueueClaim = { queues }
    return Number.isFinite(nextDueAt) ? { ...claimed, nextDueAt } : claimed
  })
})
