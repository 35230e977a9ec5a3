import { type DeliveryKey, Outbox, type Settlement } from "@pixcharge/core"
import { logFailure, nextDelayMs } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type { StoreShards } from "../shards/Shards.ts"
import { callAtCompanies, failIfSilent, groupByShard, realSleep } from "./callAtCompanies.ts"

const retryRule = { firstMs: 100, maxMs: 2_000 }
const complaint = "Deliveries of a shard could not be settled, and are tried again; those of others are settled"
const getLease = ({ lease }: Settlement) => lease

/** The part of a batch that belongs to one shard. */
interface Writing {
  /** The settlements that aren't written yet. */
  left: ReadonlyArray<Settlement>
}

/** What the outbox does when settlements are written. */
interface SettleHooks {
  /** Called when something was settled at the shard of this id. */
  readonly recordSettled: (shardId: string) => void
  /** Runs each time that an owed batch was written. */
  readonly afterOwed: Effect.Effect<void>
}

/**
 * Settles batches at the shards of their companies.
 *
 * Settlements that a shard doesn't write in time are *owed* to it: they are retried until it writes them, and the dispatcher doesn't
 * wait. The result lacks them, as if their leases had ended. While a shard is owed settlements, nothing may be claimed, read or
 * released there, because delivered events would be sent again. If the process ends meanwhile, they are.
 */
export const makeSettle = Effect.fnUntraced(function* (shards: StoreShards, { recordSettled, afterOwed }: SettleHooks) {
  const run = yield* FiberSet.makeRuntime()
  const atShards = callAtCompanies(shards)
  const owed = new Set<Writing>()

  /** The ids of the shards that are owed settlements: those that hold their companies now. */
  const owedShards = Effect.suspend(() => {
    const left = [...owed].flatMap((writing) => writing.left)
    return Effect.map(groupByShard(shards, left, getLease), (parts) => new Set(parts.map(({ shard }) => shard.id)))
  })

  const write = Effect.fnUntraced(function* (writing: Writing, now: number) {
    const settled: Array<DeliveryKey> = []
    for (let delayMs = nextDelayMs(retryRule); ; delayMs = nextDelayMs(retryRule, delayMs)) {
      const { failures } = yield* atShards(writing.left, getLease, ({ id, ports }, part) =>
        Effect.map(Context.get(ports, Outbox).settle(part, now), (keys) => {
          settled.push(...keys)
          writing.left = writing.left.filter((one) => !part.includes(one))
          recordSettled(id)
        }),
      )
      const [first] = failures
      if (first === undefined) return settled
      if (delayMs === retryRule.firstMs) yield* logFailure("Warn", complaint, first.failure)
      yield* realSleep(delayMs)
    }
  })

  /** Settles one shard's part. Doesn't wait for a shard that is owed others. */
  const settlePart = Effect.fnUntraced(function* (part: ReadonlyArray<Settlement>, isShardOwed: boolean, now: number) {
    const writing: Writing = { left: part }
    const written = run(write(writing, now))
    const settled = isShardOwed ? Option.none() : yield* Effect.option(failIfSilent(Fiber.join(written)))
    if (Option.isSome(settled)) return settled.value
    owed.add(writing)
    written.addObserver(() => {
      owed.delete(writing)
      run(afterOwed)
    })
    return []
  })

  return {
    owedShards,
    settle: Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, now: number) {
      const parts = yield* groupByShard(shards, settlements, getLease)
      const before = yield* owedShards
      const settling = parts.map(({ shard, items }) => settlePart(items, before.has(shard.id), now))
      return (yield* Effect.all(settling, { concurrency: "unbounded" })).flat()
    }),
  }
})
