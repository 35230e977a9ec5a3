import type { Cnpj } from "@pixcharge/core/party"
import { startStopwatch } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openRouted } from "./openRouted.ts"
import { claimQueues, listIssuers, queueEvent } from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"
import { makeClockAdvancer } from "./makeClockAdvancer.ts"

const { all, findShard, layer, hooks, isWorking } = await shardsOnSchemas(await realPostgres({ max: 20 }), 9)
const advanceClock = makeClockAdvancer(isWorking)
beforeEach(() => Effect.runPromise(hooks.reset ?? Effect.void))

const issuers = Array.from({ length: 90 }, (_, index) => `${10 + index}222333000181` as Cnpj)

it("a claim returns queues before their leases end, although one of four shards is silent", async () => {
  const opened = await openRouted(layer)
  for (const issuer of issuers) await queueEvent(opened, issuer)
  for (const [index, shard] of all.entries()) if (index % 4 === 0) shard.state = "silent"
  const answering = issuers.filter((issuer) => findShard(issuer).state === "up")
  const stop = startStopwatch()
  expect(listIssuers(await advanceClock(claimQueues(opened))).toSorted()).toEqual(answering.toSorted())
  // Longer than the wait for one silent shard, and shorter than a wait for each silent shard in turn.
  expect(stop()).toBeLessThan(11_000)
})

it("a claim doesn't wait again for a silent shard while other shards return queues", async () => {
  const opened = await openRouted(layer)
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  const [own, ...others] = issuers as [Cnpj, ...Array<Cnpj>]
  findShard(own).state = "down"
  await advanceClock(claimQueues(opened))
  findShard(own).state = "silent"
  clock.mockReturnValue(performance.now() + 10_000)
  const answering = others.filter((issuer) => findShard(issuer).state === "up")
  for (const issuer of answering) await queueEvent(opened, issuer)
  const stop = startStopwatch()
  expect(listIssuers(await advanceClock(claimQueues(opened))).toSorted()).toEqual(answering.toSorted())
  expect(stop()).toBeLessThan(1_000)
  expect(findShard(own).underWay).toBe(1)
})
