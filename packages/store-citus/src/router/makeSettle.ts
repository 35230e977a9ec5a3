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
const complaint = "Deliveries of a shard could not be settled and are retried; other shards are not affected"
const getLease = ({ lease }: Settlement) => lease

interface Writing {
  unwritten: ReadonlyArray<Settlement>
}

interface SettleHooks {
  readonly recordSettled: (shardId: string) => void
  readonly afterOwed: Effect.Effect<void>
}

/**
 * Settles batches at the shards of their companies.
 *
 * A shard that doesn't write its settlements in time is *owed* them: they are retried until it writes them, and the dispatcher
 * doesn't wait. The result omits them, as if their leases had ended. An owed shard's queues can't be claimed, read or released,
 * because delivered events would be sent again. They are sent again if the process ends before the settlements are written.
 */
export const makeSettle = Effect.fnUntraced(function* (shards: StoreShards, { recordSettled, afterOwed }: SettleHooks) {
  const run = yield* FiberSet.makeRuntime()
  const atShards = callAtCompanies(shards)
  const owed = new Set<Writing>()

  const owedShards = Effect.suspend(() => {
    const unwritten = [...owed].flatMap((writing) => writing.unwritten)
    return Effect.map(groupByShard(shards, unwritten, getLease), (parts) => new Set(parts.map(({ shard }) => shard.id)))
  })

  const write = Effect.fnUntraced(function* (writing: Writing, now: number) {
    const settled: Array<DeliveryKey> = []
    for (let delayMs = nextDelayMs(retryRule); ; delayMs = nextDelayMs(retryRule, delayMs)) {
      const { failures } = yield* atShards(writing.unwritten, getLease, ({ id, ports }, part) =>
        Effect.map(Context.get(ports, Outbox).settle(part, now), (keys) => {
          settled.push(...keys)
          writing.unwritten = writing.unwritten.filter((one) => !part.includes(one))
          recordSettled(id)
        }),
      )
      const [first] = failures
      if (first === undefined) return settled
      if (delayMs === retryRule.firstMs) yield* logFailure("Warn", complaint, first.failure)
      yield* realSleep(delayMs)
    }
  })

  const settlePart = Effect.fnUntraced(function* (part: ReadonlyArray<Settlement>, isShardOwed: boolean, now: number) {
    const writing: Writing = { unwritten: part }
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
