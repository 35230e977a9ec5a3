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

/** The part of a batch that a shard was given. */
interface Writing {
  /** What isn't written yet. */
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
 * What a shard doesn't take in time is owed to it: it is tried until it is written, while the dispatcher goes on with the others. The
 * answer leaves it out, as if its lease didn't hold. While a shard is owed settlements, nothing may be claimed, read or released
 * there, for what was sent would be sent again; that happens if the process ends meanwhile.
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

  /** `isOwed` says whether its shard is owed others: then nobody waits for it. */
  const settlePart = Effect.fnUntraced(function* (part: ReadonlyArray<Settlement>, isOwed: boolean, now: number) {
    const writing: Writing = { left: part }
    const written = run(write(writing, now))
    const settled = isOwed ? Option.none() : yield* Effect.option(failIfSilent(Fiber.join(written)))
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
