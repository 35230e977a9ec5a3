import { type LeasedQueue, Outbox, type QueueClaim, type StoreUnavailable } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { atCompanies, someAnswers } from "./atCompanies.ts"
import { atCompany } from "./atCompany.ts"
import { allAnswers, atEveryShard } from "./atEveryShard.ts"
import { makeSettle } from "./makeSettle.ts"
import { makeShardClaims } from "./makeShardClaims.ts"
import type { QuietShards } from "./QuietShards.ts"
import { unlessSilent } from "./unlessSilent.ts"

type Service = Outbox["Service"]
type ClaimRequest = Parameters<Service["claim"]>[0]

const atOnce = 4

const outboxOf = ({ ports }: ShardPorts): Service => Context.get(ports, Outbox)

/**
 * The outbox in shards. What spans several of them does what can be done while one fails:
 *
 * - A claim, a read and a renewal answer with what the others have: a queue that can't be read or renewed is as one whose lease
 *   was lost. They fail if no shard answers.
 * - A settlement that can't be written is owed (`makeSettle`).
 * - A release and a purge are tried at every shard and then fail: the leases end by themselves, and what is left is purged by
 *   the next call.
 * - The depth fails, for the sum of the others would be a wrong figure.
 */
export const routedOutbox = Effect.fnUntraced(function* (shards: StoreShards, quiet: QuietShards) {
  const atShard = atCompany(shards)
  const atShards = atCompanies(shards)
  const everyShard = atEveryShard(shards)
  const { settle, owedShards } = yield* makeSettle(shards, (id) => quiet.noteChange(id))

  /** Makes no call of a shard that is owed settlements. */
  const unlessOwed = <A, B>({ id }: ShardPorts, instead: B, call: Effect.Effect<A, StoreUnavailable>) =>
    Effect.flatMap(owedShards, (owed): Effect.Effect<A | B, StoreUnavailable> =>
      owed.has(id) ? Effect.succeed(instead) : call,
    )

  const changingAt = <A>(issuer: string, call: (outbox: Service) => Effect.Effect<A, StoreUnavailable>) =>
    atShard(issuer, (shard) => quiet.changing(shard.id, call(outboxOf(shard))))

  const at = <A>(issuer: string, call: (outbox: Service) => Effect.Effect<A, StoreUnavailable>) =>
    atShard(issuer, (shard) => call(outboxOf(shard)))

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
        return Effect.map(outboxOf(shard).claim(request), (claim) => {
          quiet.noteClaim(shard.id, request, claim, changes)
          return claim.queues
        })
      }),
  })

  const claim = Effect.fnUntraced(function* (request: ClaimRequest) {
    const queues = yield* claimQueues(request)
    const nextDueAt = yield* shards.all.pipe(
      Effect.map((all) => Math.min(...all.map(({ id }) => quiet.nextDueAt(id, request)))),
      // What is leased by now is given all the same.
      Effect.orElseSucceed(() => request.now),
    )
    const claimed: QueueClaim = { queues }
    return Number.isFinite(nextDueAt) ? { ...claimed, nextDueAt } : claimed
  })

  return Outbox.of({
    claim,
    read: (queues, now) =>
      Effect.flatMap(
        atShards(
          queues,
          ({ lease }) => lease,
          (shard, part) => unlessOwed(shard, [], unlessSilent(outboxOf(shard).read(part, now))),
        ),
        someAnswers,
      ),
    renew: (leases, leaseMs) =>
      Effect.flatMap(
        atShards(
          leases,
          (lease) => lease,
          (shard, part) => quiet.changing(shard.id, unlessSilent(outboxOf(shard).renew(part, leaseMs))),
        ),
        someAnswers,
      ),
    release: Effect.fnUntraced(function* (leases, restMs) {
      const { failed } = yield* atShards(
        leases,
        (lease) => lease,
        (shard, part) =>
          unlessOwed(shard, undefined, quiet.changing(shard.id, unlessSilent(outboxOf(shard).release(part, restMs)))),
      )
      const [first] = failed
      if (first !== undefined) yield* Effect.fail(first.failure)
    }),
    settle,
    add: (delivery, now, audit) => changingAt(delivery.event.issuer, (outbox) => outbox.add(delivery, now, audit)),
    supersede: (issuer, id, now) => changingAt(issuer, (outbox) => outbox.supersede(issuer, id, now)),
    replay: (issuer, selection, now, name) =>
      changingAt(issuer, (outbox) => outbox.replay(issuer, selection, now, name)),
    list: (issuer, filter, page) => at(issuer, (outbox) => outbox.list(issuer, filter, page)),
    attempts: (issuer, eventId, endpointId) => at(issuer, (outbox) => outbox.attempts(issuer, eventId, endpointId)),
    queueDepth: (issuer, endpointId) => at(issuer, (outbox) => outbox.queueDepth(issuer, endpointId)),
    depth: Effect.map(allAnswers(everyShard((shard) => outboxOf(shard).depth, atOnce)), (depths) => {
      const oldestAt = Math.min(...depths.flatMap((depth) => depth.oldestAt ?? []))
      const waiting = depths.reduce((sum, depth) => sum + depth.waiting, 0)
      return { waiting, ...(Number.isFinite(oldestAt) && { oldestAt }) }
    }),
    purge: (settledBefore) =>
      Effect.map(allAnswers(everyShard((shard) => outboxOf(shard).purge(settledBefore))), (purged) =>
        purged.reduce((sum, count) => sum + count, 0),
      ),
  })
})
