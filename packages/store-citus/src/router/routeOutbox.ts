import {
  type InvalidFilter,
  type LeasedQueue,
  Outbox,
  type QueueClaim,
  type QueueDepth,
  type QueueLease,
  type StoreUnavailable,
  type TooManyReports,
} from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../shards/Shards.ts"
import type { IdleShards } from "./IdleShards.ts"
import {
  callAtCompanies,
  callAtCompany,
  callAtEveryShard,
  failIfSilent,
  requireAllAnswers,
  requireSomeAnswers,
} from "./callAtCompanies.ts"
import { makeSettle } from "./makeSettle.ts"
import { makeShardClaims } from "./makeShardClaims.ts"

type Service = Outbox["Service"]

export const maxAtOnce = 4

type Depth = Omit<QueueDepth, "retrying">

export const addDepths = (depths: ReadonlyArray<Depth>): Depth => {
  const oldestAt = Math.min(...depths.flatMap((depth) => depth.oldestAt ?? []))
  const waiting = depths.reduce((sum, depth) => sum + depth.waiting, 0)
  return { waiting, ...(Number.isFinite(oldestAt) && { oldestAt }) }
}

const getOutbox = ({ ports }: ShardPorts): Service => Context.get(ports, Outbox)

/**
 * The outbox in shards. While a shard fails, calls that span several shards behave as follows:
 *
 * - A claim, a read and a renewal return the other shards' queues. An unread or unrenewed queue counts as a lost lease. They fail
 * if no shard answers.
 * - An unwritten settlement is owed to its shard (`makeSettle`). A release at that shard waits for the settlement.
 * - A release and a purge run at every shard, and then fail. Leases end by themselves, and the next purge deletes the rest.
 * - The depth fails, because a sum without one shard would be wrong.
 */
export const routeOutbox = Effect.fnUntraced(function* (shards: StoreShards, idle: IdleShards) {
  const atShard = callAtCompany(shards)
  const everyShard = callAtEveryShard(shards)
  const postponed: Array<Effect.Effect<void, StoreUnavailable>> = []
  const { settle, owedShards } = yield* makeSettle(shards, {
    recordSettled: (id) => idle.recordChange(id),
    afterOwed: Effect.suspend(() =>
      Effect.forEach(postponed.splice(0), (release) => Effect.ignore(release), { discard: true }),
    ),
  })

  const change = <A>(issuer: string, call: (outbox: Service) => Effect.Effect<A, StoreUnavailable>) =>
    atShard(issuer, (shard) => idle.makeChange(shard.id, call(getOutbox(shard))))

  const report = <A, E extends StoreUnavailable | InvalidFilter | TooManyReports>(
    issuer: string,
    call: (outbox: Service) => Effect.Effect<A, E>,
  ) => atShard(issuer, (shard) => call(getOutbox(shard)))

  return Outbox.of({
    ...routeLeases(shards, idle, { owedShards, postponed }),
    claim: yield* makeQueueClaims(shards, idle, owedShards),
    settle,
    add: (delivery, now, audit) => change(delivery.event.issuer, (outbox) => outbox.add(delivery, now, audit)),
    supersede: (issuer, id, now) => change(issuer, (outbox) => outbox.supersede(issuer, id, now)),
    replay: (issuer, selection, now, name) => change(issuer, (outbox) => outbox.replay(issuer, selection, now, name)),
    list: (issuer, filter, page) => report(issuer, (outbox) => outbox.list(issuer, filter, page)),
    attempts: (issuer, eventId, endpointId) => report(issuer, (outbox) => outbox.attempts(issuer, eventId, endpointId)),
    queueDepth: (issuer, endpointId) => report(issuer, (outbox) => outbox.queueDepth(issuer, endpointId)),
    depth: Effect.map(requireAllAnswers(everyShard((shard) => getOutbox(shard).depth, maxAtOnce)), addDepths),
    purge: (settledBefore) =>
      Effect.map(requireAllAnswers(everyShard((shard) => getOutbox(shard).purge(settledBefore))), (purged) =>
        purged.reduce((sum, count) => sum + count, 0),
      ),
  })
})

interface Owed {
  readonly owedShards: Effect.Effect<ReadonlySet<string>, StoreUnavailable>
  readonly postponed: Array<Effect.Effect<void, StoreUnavailable>>
}

export const routeLeases = (
  shards: StoreShards,
  idle: IdleShards,
  { owedShards, postponed }: Owed,
): Pick<Service, "read" | "renew" | "release"> => {
  const atShards = callAtCompanies(shards)
  const callUnlessOwed = <A>({ id }: ShardPorts, instead: Effect.Effect<A>, call: Effect.Effect<A, StoreUnavailable>) =>
    Effect.flatMap(owedShards, (owed) => (owed.has(id) ? instead : call))

  /** Fails if the shard is silent, because a wait would delay other shards' queues. */
  const change = <A>(shard: ShardPorts, call: (outbox: Service) => Effect.Effect<A, StoreUnavailable>) =>
    idle.makeChange(shard.id, failIfSilent(call(getOutbox(shard))))

  const release = Effect.fnUntraced(function* (
    leases: ReadonlyArray<QueueLease>,
    afterMs?: number,
  ): Effect.fn.Return<void, StoreUnavailable> {
    const releaseAt = (shard: ShardPorts, part: ReadonlyArray<QueueLease>) =>
      callUnlessOwed(
        shard,
        Effect.sync(() => void postponed.push(release(part, afterMs))),
        change(shard, (outbox) => outbox.release(part, afterMs)),
      )
    const { failures } = yield* atShards(leases, (lease) => lease, releaseAt)
    const [first] = failures
    if (first !== undefined) yield* Effect.fail(first.failure)
  })

  return {
    release,
    read: (queues, now) => {
      const readAt = (shard: ShardPorts, part: typeof queues) =>
        callUnlessOwed(shard, Effect.succeed([]), failIfSilent(getOutbox(shard).read(part, now)))
      return Effect.flatMap(
        atShards(queues, ({ lease }) => lease, readAt),
        requireSomeAnswers,
      )
    },
    renew: (leases, leaseMs) => {
      const renewAt = (shard: ShardPorts, part: typeof leases) => change(shard, (outbox) => outbox.renew(part, leaseMs))
      return Effect.flatMap(
        atShards(leases, (lease) => lease, renewAt),
        requireSomeAnswers,
      )
    },
  }
}

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/**
 * Claims queues from shards that are neither idle nor owed settlements. Until the owed shards are known, claims from no shard.
 */
export const makeQueueClaims = Effect.fnUntraced(function* (
  shards: StoreShards,
  idle: IdleShards,
  owedShards: Effect.Effect<ReadonlySet<string>, StoreUnavailable>,
) {
  const claimQueues = yield* makeShardClaims<ClaimRequest, LeasedQueue>(shards, {
    complaint: "The queues of a shard could not be claimed; other shards are not affected",
    selectShards: (request) =>
      owedShards.pipe(
        Effect.map(
          (owed) =>
            ({ id }: ShardPorts) =>
              !owed.has(id) && !idle.isIdle(id, request),
        ),
        Effect.orElseSucceed(() => () => false),
      ),
    // Drops the deliveries, because late deliveries might have been withdrawn: the queue is read again.
    adaptLate: ({ lease }) => ({ lease, due: [] }),
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
      Effect.orElseSucceed(() => request.now),
    )
    const claimed: QueueClaim = { queues }
    return Number.isFinite(nextDueAt) ? { ...claimed, nextDueAt } : claimed
  })
})
