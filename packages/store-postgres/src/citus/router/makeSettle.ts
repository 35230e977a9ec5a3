import { type DeliveryKey, Outbox, type Settlement } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/telemetry"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type { StoreShards } from "../Shards.ts"
import { atCompanies, type Part, partByShard } from "./atCompanies.ts"
import { realSleep, withinPatience } from "./withinPatience.ts"

const firstPauseMs = 100
const longestPauseMs = 2_000
const complaint = "Deliveries of a shard could not be settled, and are tried again; those of others are settled"
const leaseOf = ({ lease }: Settlement) => lease

/**
 * Settles batches at the shards of their companies. What a shard doesn't take in time is owed to it: it is tried until it holds,
 * while the dispatcher goes on with the others, and left out of the answer, as if its lease didn't hold. As long as a shard is
 * owed settlements nothing may be claimed, read or released there, for what was sent would be sent again; so it is if the process
 * ends meanwhile.
 */
export const makeSettle = Effect.fnUntraced(function* (shards: StoreShards, noteSettled: (shardId: string) => void) {
  const run = yield* FiberSet.makeRuntime()
  const atShards = atCompanies(shards)
  /** By shard, how many batches are owed to it. */
  const owed = new Map<string, number>()

  const owe = (id: string, batches: 1 | -1): void => {
    const left = (owed.get(id) ?? 0) + batches
    if (left === 0) owed.delete(id)
    else owed.set(id, left)
  }

  const write = Effect.fnUntraced(function* (batch: ReadonlyArray<Settlement>, now: number) {
    const settled: Array<DeliveryKey> = []
    for (let left = batch, pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const { answers, failed } = yield* atShards(left, leaseOf, ({ id, ports }, part) =>
        Effect.tap(Context.get(ports, Outbox).settle(part, now), () => Effect.sync(() => noteSettled(id))),
      )
      settled.push(...answers.flat())
      const [first] = failed
      if (first === undefined) return settled
      if (left === batch) yield* logFailure("Warn", complaint, first.failure)
      left = failed.flatMap(({ items }) => items)
      yield* realSleep(pauseMs)
    }
  })

  const settlePart = Effect.fnUntraced(function* ({ shard: { id }, items }: Part<Settlement>, now: number) {
    const writing = run(write(items, now))
    const settled = owed.has(id) ? Option.none() : yield* Effect.option(withinPatience(Fiber.join(writing)))
    if (Option.isSome(settled)) return settled.value
    owe(id, 1)
    writing.addObserver(() => owe(id, -1))
    return []
  })

  return {
    isOwed: (id: string): boolean => owed.has(id),
    settle: Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, now: number) {
      const parts = yield* partByShard(shards, settlements, leaseOf)
      const settled = yield* Effect.forEach(parts, (part) => settlePart(part, now), { concurrency: "unbounded" })
      return settled.flat()
    }),
  }
})
