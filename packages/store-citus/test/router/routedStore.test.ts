import { aCnpj, alphanumericCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { chargeModelSuite, spanningSuite, storeSuite } from "@pixcharge/adapter-tests/suites"
import { describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const { layer, hooks, findShard } = await shardsOnSchemas(await realPostgres({ max: 20 }), 3)

it("each company of the suites has its own shard, except the neighbour", () => {
  expect(new Set([aCnpj, anotherCnpj, alphanumericCnpj].map(findShard)).size).toBe(3)
  expect(findShard(hooks.neighbour ?? "")).toBe(findShard(aCnpj))
})

// The suites of store-postgres test a single shard on a plain schema, and routes.test.ts tests which shard is called. The gate
// tests here only calls that span shards.
spanningSuite("three shards", layer, hooks)
describe("three shards in every suite", { tags: ["long"] }, () => {
  storeSuite("three shards", layer, hooks)
  chargeModelSuite("three shards", layer, { ...hooks, histories: 4 })
})
