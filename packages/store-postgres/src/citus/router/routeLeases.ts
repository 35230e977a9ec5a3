import { Outbox, type QueueLease, type StoreUnavailable } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import { callAtCompanies, requireSomeAnswers } from "./callAtCompanies.ts"
import { failIfSilent } from "./failIfSilent.ts"
import type { IdleShards } from "./IdleShards.ts"

type Service = Outbox["Service"]

/** What is owed to shards. */
interface Owed {
  /** The ids of the shards that are owed settlements. */
  readonly owedShards: Effect.Effect<ReadonlySet<string>, StoreUnavailable>
  /** Releases to be made once these are written. */
  readonly postponed: Array<Effect.Effect<void, StoreUnavailable>>
}

/** The outbox's calls for leased queues, at the shards of their companies. */
export const routeLeases = (
  shards: StoreShards,
  idle: IdleShards,
  { owedShards, postponed }: Owed,
): Pick<Service, "read" | "renew" | "release"> => {
  const atShards = callAtCompanies(shards)
  const getOutbox = ({ ports }: ShardPorts): Service => Context.get(ports, Outbox)

  /** Makes a call, or another one instead while its shard is owed settlements. */
  const callUnlessOwed = <A>({ id }: ShardPorts, instead: Effect.Effect<A>, call: Effect.Effect<A, StoreUnavailable>) =>
    Effect.flatMap(owedShards, (owed) => (owed.has(id) ? instead : call))

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
