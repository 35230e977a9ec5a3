import { aCnpj, anotherCnpj } from "@pixcharge/testkit/fixtures"
import { chargeModelSuite, storeSuite } from "@pixcharge/testkit/suites"
import { expect, it } from "vitest"
import { realPostgres } from "../realPostgres.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const pool = await realPostgres({ max: 20 })

for (const count of [2, 5]) {
  const { layer, hooks, shardOf } = await shardsOnSchemas(pool, count)

  it(`of ${count} shards, the companies of the suites are in several`, () => {
    expect(shardOf(aCnpj)).not.toBe(shardOf(anotherCnpj))
    expect(shardOf(hooks.neighbour ?? "")).toBe(shardOf(aCnpj))
  })

  storeSuite(`${count} shards`, layer, hooks)
  chargeModelSuite(`${count} shards`, layer, { ...hooks, histories: 4 })
}
