import type { Cnpj } from "@pixcharge/core/party"
import { expect, it } from "vitest"
import { realPostgres } from "../realPostgres.ts"
import { openRouted } from "./openRouted.ts"
import { claimed, issuersOf, queued } from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const db = await realPostgres({ max: 20 })
const { all, shardOf, layer } = await shardsOnSchemas(db, 9)

it("what is claimed is handed out while its lease holds, though one shard of four is silent", async () => {
  const opened = await openRouted(layer)
  const issuers = Array.from({ length: 90 }, (_, at) => `${10 + at}222333000181` as Cnpj)
  for (const issuer of issuers) await queued(opened, issuer)
  for (const [at, shard] of all.entries()) if (at % 4 === 0) shard.state = "silent"
  const answering = issuers.filter((issuer) => shardOf(issuer).state === "up")
  // Longer than for one silent shard, and shorter than for one after the other.
  expect(issuersOf(await claimed(opened, { leaseMs: 11_000 })).toSorted()).toEqual(answering.toSorted())
  for (const { state, schema } of all) {
    if (state === "silent") continue
    const { rows } = await db.query(
      `SELECT bool_and(lease_until > clock_timestamp()) AS held FROM ${schema}.queue_leases`,
    )
    expect(rows).toEqual([{ held: true }])
  }
  for (const shard of all) shard.state = "up"
})
