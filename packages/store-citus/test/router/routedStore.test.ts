import { aCnpj, alphanumericCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { chargeModelSuite, spanningSuite, storeSuite } from "@pixcharge/adapter-tests/suites"
import { describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const { layer, hooks, findShard } = await shardsOnSchemas(await realPostgres({ max: 20 }), 3)

it("each company of the suites is in a shard of its own, except the neighbour", () => {
  expect(new Set([aCnpj, anotherCnpj, alphanumericCnpj].map(findShard)).size).toBe(3)
  expect(findShard(hooks.neighbour ?? "")).toBe(findShard(aCnpj))
})

// What a shard does by itself, all suites test on one plain schema; routes.test.ts, that it is asked, and what.
spanningSuite("three shards", layer, hooks)
describe("every suite", { tags: ["long"] }, () => {
  storeSuite("three shards", layer, hooks)
  chargeModelSuite("three shards", layer, { ...hooks, histories: 4 })
})
