import { type InvalidFilter, Outbox, type StoreUnavailable, type TooManyReports } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { atCompanies, someAnswers } from "./atCompanies.ts"
import { atCompany } from "./atCompany.ts"
import { allAnswers, atEveryShard } from "./atEveryShard.ts"
import { makeQueueClaims } from "./makeQueueClaims.ts"
import { makeSettle } from "./makeSettle.ts"
import type { QuietShards } from "./QuietShards.ts"
import { unlessSilent } from "./unlessSilent.ts"

type Service = Outbox["Service"]

const atOnce = 4

const outboxOf = ({ ports }: ShardPorts): Service => Context.get(ports, Outbox)

/**
 * The outbox in shards. What spans several of them does what can be done while one fails:
 *
 * - A claim, a read and a renewal answer with what the others have: a queue that can't be read or renewed is as one whose lease
 *   was lost. They fail if no shard answers.
 * - A settlement that can't be written is owed (`makeSettle`), and a release at a shard that is owed some is made after them.
 * - A release and a purge are tried at every shard and then fail: the leases end by themselves, and what is left is purged by
 *   the next call.
 * - The depth fails, for the sum of the others would be a wrong figure.
 */
export const routedOutbox = Effect.fnUntraced(function* (shards: StoreShards, quiet: QuietShards) {
  const atShard = atCompany(shards)
  const atShards = atCompanies(shards)
  const everyShard = atEveryShard(shards)
  /** Releases that wait until what their shard is owed is written. */
  const postponed: Array<Effect.Effect<void, StoreUnavailable>> = []
  const { settle, owedShards } = yield* makeSettle(shards, {
    noteSettled: (id) => quiet.noteChange(id),
    afterOwed: Effect.suspend(() =>
      Effect.forEach(postponed.splice(0), (one) => Effect.ignore(one), { discard: true }),
    ),
  })

  /** Makes a call, or what is made instead of it while its shard is owed settlements. */
  const unlessOwed = <A>({ id }: ShardPorts, instead: Effect.Effect<A>, call: Effect.Effect<A, StoreUnavailable>) =>
    Effect.flatMap(owedShards, (owed) => (owed.has(id) ? instead : call))

  const release: Service["release"] = Effect.fnUntraced(function* (leases, restMs) {
    const { failed } = yield* atShards(
      leases,
      (lease) => lease,
      (shard, part) =>
        unlessOwed(
          shard,
          Effect.sync(() => void postponed.push(release(part, restMs))),
          quiet.changing(shard.id, unlessSilent(outboxOf(shard).release(part, restMs))),
        ),
    )
    const [first] = failed
    if (first !== undefined) yield* Effect.fail(first.failure)
  })

  const changingAt = <A>(issuer: string, call: (outbox: Service) => Effect.Effect<A, StoreUnavailable>) =>
    atShard(issuer, (shard) => quiet.changing(shard.id, call(outboxOf(shard))))

  const at = <A, E extends StoreUnavailable | InvalidFilter | TooManyReports>(
    issuer: string,
    call: (outbox: Service) => Effect.Effect<A, E>,
  ) => atShard(issuer, (shard) => call(outboxOf(shard)))

  return Outbox.of({
    claim: yield* makeQueueClaims(shards, quiet, owedShards),
    read: (queues, now) =>
      Effect.flatMap(
        atShards(
          queues,
          ({ lease }) => lease,
          (shard, part) => unlessOwed(shard, Effect.succeed([]), unlessSilent(outboxOf(shard).read(part, now))),
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
    release,
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
