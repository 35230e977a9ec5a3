import { repeatable, schemaName } from "@pixcharge/store-postgres/internal"
import { describe, expect, it } from "vitest"
import { useShardTables } from "../src/shards/ShardMap.ts"
import { returnsRows } from "../src/shards/openShards.ts"

const schema = schemaName("shop")
const sql = (text: string) => repeatable(text)(schema)
const tables = new Map([
  ["charges", "charges_102008"],
  ["payments", "payments_102040"],
])

describe("a statement over one shard's tables", () => {
  const useTables = (text: string) => useShardTables(sql(text).text, schema, tables)

  it("names the shard's tables instead of the distributed tables", () => {
    expect(useTables("SELECT 1 FROM @.charges c JOIN @.payments p ON p.issuer = c.issuer")).toBe(
      `SELECT 1 FROM "shop".charges_102008 c JOIN "shop".payments_102040 p ON p.issuer = c.issuer`,
    )
  })

  it("keeps functions unchanged", () => {
    expect(useTables("SELECT @.folded_name(payer_name) FROM @.charges")).toBe(
      `SELECT "shop".folded_name(payer_name) FROM "shop".charges_102008`,
    )
  })

  it("can't name a table without shards", () => {
    expect(() => useTables("SELECT 1 FROM @.companies")).toThrow("companies")
  })
})

describe("a statement", () => {
  const statements: ReadonlyArray<readonly [string, boolean]> = [
    ["SELECT 1 FROM @.charges FOR UPDATE", true],
    ["WITH a AS (UPDATE @.charges SET version = 1 RETURNING id) SELECT id FROM a", true],
    ["UPDATE @.charges SET version = 2", false],
    [
      "WITH a AS (SELECT id FROM @.charges FOR UPDATE) UPDATE @.charges c SET version = 3 FROM a WHERE c.id = a.id",
      false,
    ],
    ["WITH a AS (SELECT (1)) UPDATE @.charges SET version = (4) RETURNING id, date_part('epoch', now())", true],
    ["WITH a AS (INSERT INTO @.charges VALUES (5) RETURNING id) INSERT INTO @.payments SELECT id FROM a", false],
    ["INSERT INTO @.charges (id) SELECT 6 -- RETURNING is what it lacks", false],
    ["-- SELECT\nDELETE FROM @.charges WHERE id = 7", false],
  ]

  for (const [text, returns] of statements) {
    it(`${returns ? "returns" : "doesn't return"} rows: ${text}`, () => {
      expect(returnsRows(sql(text))).toBe(returns)
    })
  }
})
