import { SqlFailure } from "@pixcharge/store-postgres"
import { type Database, type Row, withReads, schemaName } from "@pixcharge/store-postgres/internal"
import { afterEach, expect, it, vi } from "vitest"
import { splitState } from "../src/shards/Shards.ts"
import { ShardMap } from "../src/shards/ShardMap.ts"

// These tests use a scripted catalogue of Citus. `verify/chaos` splits and moves shards on a real cluster.

const schema = schemaName("shop")
const thisSplit = new SqlFailure({ kind: "refused", sqlState: splitState, message: "the shard was split" })
const outage = new SqlFailure({ kind: "unsent", sqlState: "ECONNREFUSED", message: "connect ECONNREFUSED" })

interface Catalog {
  /** The ids of the charges' shard and the payments' shard, by their lowest hash. */
  shards: Record<number, readonly [charges: string, payments: string]>
  /** For each shard: a number that hashes into it, and how many numbers must be tried to find that number. */
  numbers: Record<string, { readonly from: number; readonly key: string }>
  companies: Record<string, string>
  shardOf: (issuer: string) => string
  failure?: SqlFailure
  readonly queries: Array<string>
}

const database = (catalog: Catalog): Database => {
  const answer = (text: string, [value]: ReadonlyArray<unknown>): ReadonlyArray<Row> => {
    if (text.includes("pg_dist_partition")) {
      catalog.queries.push("shards")
      return Object.entries(catalog.shards).flatMap(([begins, [charges, payments]]) => [
        { table_name: "payments", id: payments, begins },
        { table_name: "charges", id: charges, begins },
      ])
    }
    if (text.includes("generate_series")) {
      catalog.queries.push(`${String(value)} numbers`)
      const found = Object.entries(catalog.numbers).filter(([, { from }]) => Number(value) >= from)
      return found.map(([id, { key }]) => ({ id, key }))
    }
    if (text.includes("run_command_on_shards")) {
      catalog.queries.push("companies")
      return Object.entries(catalog.companies).map(([id, key]) => ({ id, key }))
    }
    catalog.queries.push(`shard of ${String(value)}`)
    return [{ id: catalog.shardOf(String(value)) }]
  }
  return withReads(async (statement, values) => {
    const rows = answer(statement(schema).text, values)
    if (catalog.failure !== undefined) throw catalog.failure
    return { rows, repeated: false }
  })
}

/** Two shards. The second shard has the companies from 5 on. */
const makeCatalog = (given: Partial<Catalog> = {}): Catalog => ({
  shards: { "1000": ["12", "22"], "-2000": ["11", "21"] },
  numbers: { "11": { from: 1, key: "1" }, "12": { from: 1, key: "2" } },
  companies: {},
  shardOf: (issuer) => (issuer >= "5" ? "12" : "11"),
  queries: [],
  ...given,
})

const setUp = (given: Partial<Catalog> = {}) => {
  const catalog = makeCatalog(given)
  return { catalog, queries: catalog.queries, map: new ShardMap(database(catalog)) }
}

const tables = (charges: string, payments: string) =>
  new Map([
    ["payments", `payments_${payments}`],
    ["charges", `charges_${charges}`],
  ])
const first = { id: "11", key: "1", tables: tables("11", "21") }
const second = { id: "12", key: "2", tables: tables("12", "22") }

afterEach(() => void vi.useRealTimers())

it("each shard has its tables, its id and a key, in order of the hashes", async () => {
  const { map, queries } = setUp()
  expect(await map.all()).toEqual([first, second])
  expect(queries).toEqual(["shards", "128 numbers"])
})

it("more numbers are tried for a shard without a key, and then its companies", async () => {
  const later = setUp({ numbers: { "11": { from: 1, key: "1" }, "12": { from: 2_048, key: "1999" } } })
  expect((await later.map.all()).map(({ key }) => key)).toEqual(["1", "1999"])
  expect(later.queries).toEqual(["shards", "128 numbers", "2048 numbers"])

  const never = setUp({ numbers: { "11": { from: 1, key: "1" } }, companies: { "11": "4", "12": "7" } })
  expect((await never.map.all()).map(({ key }) => key)).toEqual(["1", "7"])
  expect(never.queries).toEqual(["shards", "128 numbers", "2048 numbers", "32768 numbers", "companies"])
})

it("enough numbers are tried for a small shard among thousands", async () => {
  const shards = Object.fromEntries(
    Array.from({ length: 4_096 }, (_, index) => [index, [`${index}`, `p${index}`] as const]),
  )
  const { map, queries } = setUp({ shards, numbers: {} })
  expect(await map.all()).toEqual([])
  expect(queries).toEqual(["shards", "262144 numbers", "companies"])
})

it("a number that hashes into an unknown shard is ignored", async () => {
  const { map } = setUp({ numbers: { ...makeCatalog().numbers, "99": { from: 1, key: "9" } } })
  expect((await map.all()).map(({ id }) => id)).toEqual(["11", "12"])
})

it("a company's shard is read once, and concurrent calls share one read of the map", async () => {
  const { map, queries } = setUp()
  expect(await Promise.all([map.find("4"), map.all(), map.find("7")])).toEqual([first, [first, second], second])
  expect(await map.find("4")).toEqual(first)
  expect(queries.toSorted()).toEqual(["128 numbers", "shard of 4", "shard of 7", "shards"])
  map.forget()
  expect(await map.find("4")).toEqual(first)
  expect(queries.slice(4)).toEqual(["shards", "128 numbers", "shard of 4"])
})

it("a hundred thousand companies are cached, and then the cache is emptied", async () => {
  const { map, queries } = setUp()
  for (let issuer = 0; issuer < 100_000; issuer++) await map.find(`${issuer}`)
  const before = queries.length
  await map.find("0")
  expect(queries.slice(before)).toEqual([])
  await map.find("new")
  await map.find("0")
  expect(queries.slice(before)).toEqual(["shard of new", "shard of 0"])
})

it("a company is the key of a shard without another key", async () => {
  const { map } = setUp({ numbers: { "11": { from: 1, key: "1" } } })
  expect(await map.all()).toEqual([first])
  expect(await map.find("7")).toEqual({ ...second, key: "7" })
  expect(await map.all()).toEqual([first, { ...second, key: "7" }])
  expect(await map.find("8")).toEqual({ ...second, key: "7" })
})

it("a map with a keyless shard is read again after a minute, and a complete map isn't", async () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const incomplete = setUp({ numbers: { "11": { from: 1, key: "1" } } })
  const whole = setUp()
  for (const { map } of [incomplete, whole]) await map.all()
  vi.advanceTimersByTime(60_000)
  for (const { map } of [incomplete, whole, incomplete]) await map.all()
  expect(incomplete.queries.filter((one) => one === "shards")).toHaveLength(1)
  incomplete.catalog.companies = { "12": "7" }
  vi.advanceTimersByTime(1)
  for (const { map } of [incomplete, whole]) await map.all()
  expect((await incomplete.map.all()).map(({ key }) => key)).toEqual(["1", "7"])
  expect(incomplete.queries.filter((one) => one === "shards")).toHaveLength(2)
  expect(whole.queries.filter((one) => one === "shards")).toHaveLength(1)
})

it("the map is read again for a company whose shard is unknown", async () => {
  const { map, catalog, queries } = setUp()
  await map.find("7")
  catalog.shards = { "1000": ["13", "23"], "-2000": ["11", "21"] }
  catalog.numbers = { "11": { from: 1, key: "1" }, "13": { from: 1, key: "2" } }
  catalog.shardOf = (issuer) => (issuer >= "5" ? "13" : "11")
  expect(await map.find("8")).toEqual({ id: "13", key: "2", tables: tables("13", "23") })
  expect(queries.slice(3)).toEqual(["shard of 8", "shards", "128 numbers", "shard of 8"])
})

it("a company's shard is reported as split if it is missing even in a new map", async () => {
  const { map } = setUp({ shardOf: () => "14" })
  await expect(map.find("7")).rejects.toMatchObject({ kind: "undone", message: "the shard was split" })
  const failing = setUp()
  await failing.map.all()
  failing.catalog.failure = thisSplit
  await expect(failing.map.find("7")).rejects.toMatchObject({ kind: "undone", message: "the shard was split" })
  expect(failing.queries.filter((one) => one === "shards")).toHaveLength(2)
})

it("a database failure rejects immediately, and the next call reads again", async () => {
  const { map, catalog, queries } = setUp({ failure: outage })
  await expect(map.find("7")).rejects.toBe(outage)
  await expect(map.all()).rejects.toBe(outage)
  expect(queries).toEqual(["shards", "shards"])
  delete catalog.failure
  expect(await map.all()).toEqual([first, second])
})

it.each<[string, string, boolean]>([
  ["XX000", "could not find valid entry for shard 102008", true],
  ["XX000", "cache lookup failed for relation 16385", false],
  ["42501", "could not find valid entry for shard 102008", false],
])("%s with %j means a split: %s", async (sqlState, message, isSplit) => {
  const failure = new SqlFailure({ kind: "refused", sqlState, message })
  const { map } = setUp({ failure })
  const expected = isSplit ? { kind: "undone", message: "the shard was split" } : failure
  await expect(map.find("7")).rejects.toMatchObject(expected)
})

it("a failed read doesn't discard the map of a later read", async () => {
  const { map, catalog, queries } = setUp({ failure: outage })
  const failing = expect(map.all()).rejects.toBe(outage)
  map.forget()
  delete catalog.failure
  const read = map.all()
  await failing
  await read
  await map.all()
  expect(queries.filter((one) => one === "shards")).toHaveLength(2)
})
