import { type InvalidFilter, Outbox, type StoreUnavailable, type TooManyReports } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { callAtCompany, callAtEveryShard, requireAllAnswers } from "./callAtCompanies.ts"
import type { IdleShards } from "./IdleShards.ts"
import { makeQueueClaims, routeLeases } from "./routeLeases.ts"
import { makeSettle } from "./makeSettle.ts"

type Service = Outbox["Service"]

const maxAtOnce = 4

const getOutbox = ({ ports }: ShardPorts): Service => Context.get(ports, Outbox)

/**
 * The outbox in shards. While a shard fails, a call that spans several does what it can:
 *
 * - A claim, a read and a renewal return what the other shards have: a queue that can't be read or renewed counts as one whose
 *   lease was lost. They fail if no shard answers.
 * - A settlement that can't be written is owed to its shard (`makeSettle`), and a release at that shard is made after it.
 * - A release and a purge are tried at every shard and then fail: leases end by themselves, and the next call purges the rest.
 * - The depth fails, for the sum of the others would be a wrong figure.
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
    depth: Effect.map(requireAllAnswers(everyShard((shard) => getOutbox(shard).depth, maxAtOnce)), (depths) => {
      const oldestAt = Math.min(...depths.flatMap((depth) => depth.oldestAt ?? []))
      const waiting = depths.reduce((sum, depth) => sum + depth.waiting, 0)
      return { waiting, ...(Number.isFinite(oldestAt) && { oldestAt }) }
    }),
    purge: (settledBefore) =>
      Effect.map(requireAllAnswers(everyShard((shard) => getOutbox(shard).purge(settledBefore))), (purged) =>
        purged.reduce((sum, count) => sum + count, 0),
      ),
  })
})
