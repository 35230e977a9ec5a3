import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { realPostgres } from "../realPostgres.ts"
import { openRouted } from "./openRouted.ts"
import { claimQueues, listIssuers, queueEvent } from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const db = await realPostgres({ max: 20 })
const { all, findShard, layer, hooks } = await shardsOnSchemas(db, 9)
beforeEach(() => Effect.runPromise(hooks.reset ?? Effect.void))

const issuers = Array.from({ length: 90 }, (_, at) => `${10 + at}222333000181` as Cnpj)

/** Whether no lease has ended in the shards that answer. */
const leasesHold = async (): Promise<boolean> => {
  const answering = all.filter(({ state }) => state === "up")
  const leases = answering.map(({ schema }) => `SELECT lease_until FROM ${schema}.queue_leases`).join(" UNION ALL ")
  const { rows } = await db.query(`SELECT bool_and(lease_until > clock_timestamp()) AS held FROM (${leases}) l`)
  return rows[0].held
}

it("what is claimed is handed out while its lease holds, though one shard of four is silent", async () => {
  const opened = await openRouted(layer)
  for (const issuer of issuers) await queueEvent(opened, issuer)
  for (const [at, shard] of all.entries()) if (at % 4 === 0) shard.state = "silent"
  const answering = issuers.filter((issuer) => findShard(issuer).state === "up")
  // Longer than for one silent shard, and shorter than for one after the other.
  expect(listIssuers(await claimQueues(opened, { leaseMs: 11_000 })).toSorted()).toEqual(answering.toSorted())
  expect(await leasesHold()).toBe(true)
})

it("a silent shard that gave no answer before isn't waited for while others bring something", async () => {
  const opened = await openRouted(layer)
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  const [own, ...others] = issuers as [Cnpj, ...Array<Cnpj>]
  findShard(own).state = "down"
  await claimQueues(opened)
  findShard(own).state = "silent"
  clock.mockReturnValue(performance.now() + 10_000)
  const answering = others.filter((issuer) => findShard(issuer).state === "up")
  for (const issuer of answering) await queueEvent(opened, issuer)
  expect(listIssuers(await claimQueues(opened, { leaseMs: 4_000 })).toSorted()).toEqual(answering.toSorted())
  expect(await leasesHold()).toBe(true)
  expect(findShard(own).underWay).toBe(1)
})
