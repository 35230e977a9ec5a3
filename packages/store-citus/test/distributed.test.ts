import type { Connection } from "@pixcharge/store-postgres"
import { migrate, StoreNotReady } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-citus"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { functionsVersion } from "../src/cluster/functions.sql.ts"
import { distributedTables, keyedTables, referenceTables } from "../src/cluster/distribution.ts"
import { type Cluster, connectTo, fit } from "./scriptedCluster.ts"

const db = await realPostgres()
await migrate(db)
const { length: latest } = (await db.query("SELECT FROM pixcharge.migrations")).rows

const allTables = [...distributedTables, ...keyedTables, ...referenceTables]
const without = (tables: Cluster["tables"], ...names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(tables).filter(([name]) => !names.includes(name)))

const findStep = (text: string): string | undefined =>
  /PERFORM (create_(?:distributed|reference)_table\([^;]*\));/.exec(text)?.[1] ??
  (text.includes("create_distributed_function") ? "functions" : undefined)

/** Connects to a cluster that records the steps of `distribute` and pretends to run them. */
const setUp = (given: Partial<Cluster> = {}, { obeys = true } = {}) => {
  const cluster: Cluster = { ...fit, ...given }
  const steps: Array<string> = []
  const rest: Connection["query"] = async (statement) => {
    const step = findStep(statement.text)
    if (step === undefined) return db.query(statement)
    steps.push(step)
    const [, table] = /'"pixcharge"\.(\w+)'/.exec(step) ?? []
    const shards = Number(/shard_count := (\d+)/.exec(step)?.[1] ?? 6)
    if (obeys && table !== undefined) cluster.tables = { ...cluster.tables, [table]: shards }
    if (obeys && table === undefined) cluster.functions = functionsVersion
    return { rows: [] }
  }
  return { cluster, steps, db: connectTo(cluster, rest) }
}

const build = (connection: Connection, migrations: "run" | "check" = "run") =>
  Effect.runPromise(Effect.result(Effect.scoped(Layer.build(citusStore({ db: connection, migrations })))))

const first = (shards: number) =>
  `create_distributed_table('"pixcharge".charges', 'issuer', colocate_with := 'none', shard_count := ${shards})`
const follower = (table: string) =>
  `create_distributed_table('"pixcharge".${table}', 'issuer', colocate_with := '"pixcharge".charges')`
const keyed = (table: string, shards: number) =>
  `create_distributed_table('"pixcharge".${table}', 'end_to_end_id', colocate_with := 'none', shard_count := ${shards})`
const reference = (table: string) => `create_reference_table('"pixcharge".${table}')`
const allSteps = (shards: number) => [
  first(shards),
  ...distributedTables.slice(1).map(follower),
  ...keyedTables.map((table) => keyed(table, shards)),
  ...referenceTables.map(reference),
  "functions",
]

it.each([
  [undefined, 32],
  [1, 1],
  [64_000, 64_000],
])("a plain schema is distributed table by table, and then gets its functions: %s shards", async (given, shards) => {
  const { db: connection, steps } = setUp({ tables: {}, functions: undefined })
  const distributed = await distribute(connection, given === undefined ? {} : { shards: given })
  expect(distributed).toEqual({ tables: allTables, shards })
  expect(steps).toEqual(allSteps(shards))
})

it("a run finishes an earlier run, and leaves a complete schema unchanged", async () => {
  const rest = setUp({ tables: without(fit.tables, "audit_log", "migrations") })
  expect(await distribute(rest.db)).toEqual({ tables: ["audit_log", "migrations"], shards: 6 })
  expect(rest.steps).toEqual([follower("audit_log"), reference("migrations")])
  const whole = setUp()
  expect(await distribute(whole.db)).toEqual({ tables: [], shards: 6 })
  expect(whole.steps).toEqual([])
})

it.each([functionsVersion - 1, undefined, "3F000"])("functions of version %s are replaced", async (functions) => {
  const { db: connection, steps } = setUp({ functions })
  await distribute(connection)
  expect(steps).toEqual(["functions"])
})

it("functions of a newer release are kept", async () => {
  const { db: connection, steps } = setUp({ functions: functionsVersion + 1 })
  await distribute(connection)
  expect(steps).toEqual([])
})

it("unreadable functions fail the run", async () => {
  await expect(distribute(setUp({ functions: "42501" }).db)).rejects.toMatchObject({ sqlState: "42501" })
})

it.each([
  [{ tables: without(fit.tables, "returns", "endpoints") }, "returns, endpoints"],
  [{ functions: undefined }, "its functions"],
])("a cluster that distributes nothing is reported: %j", async (flaw, left) => {
  await expect(distribute(setUp(flaw, { obeys: false }).db)).rejects.toMatchObject({
    _tag: "CitusUnusable",
    message: `Some of the schema is not distributed: ${left}.`,
  })
})

const command = "run `npx -p @pixcharge/store-citus pixcharge-citus distribute`"

it("a store on a complete schema distributes nothing", async () => {
  const { db: connection, steps } = setUp()
  expect((await build(connection))._tag).toBe("Success")
  expect((await build(connection, "check"))._tag).toBe("Success")
  expect(steps).toEqual([])
})

it("a store distributes new tables, unless the host runs migrations separately", async () => {
  const flaw = { tables: without(fit.tables, "audit_log") }
  const { db: connection, steps } = setUp(flaw)
  expect((await build(connection))._tag).toBe("Success")
  expect(steps).toEqual([follower("audit_log")])
  const apart = setUp(flaw)
  expect(await build(apart.db, "check")).toMatchObject({
    failure: {
      message: `The database can't be used: Schema "pixcharge" is not distributed as this release needs it: ${command}.`,
    },
  })
  expect(apart.steps).toEqual([])
})

it.each(["run", "check"] as const)("a store doesn't distribute a plain schema: migrations %s", async (migrations) => {
  const { db: connection, steps } = setUp({ tables: {}, functions: undefined })
  const { failure } = (await build(connection, migrations)) as { readonly failure?: unknown }
  expect(failure).toBeInstanceOf(StoreNotReady)
  expect((failure as StoreNotReady).message).toBe(
    `The database can't be used: Schema "pixcharge" is not distributed: ${command}.`,
  )
  expect(steps).toEqual([])
})

it("a store migrates and distributes a distributed schema that lacks a step", async () => {
  const older = await realPostgres()
  const statements: Array<string> = []
  const connection = connectTo(fit, async (statement) => {
    statements.push(statement.text)
    return { rows: statement.text.includes("$migration$") ? [] : (await older.query(statement)).rows }
  })
  const { failure } = (await build(connection)) as { readonly failure?: unknown }
  expect(statements.filter((text) => text.includes("$migration$"))).toHaveLength(1)
  expect((failure as StoreNotReady).message).toContain(`has version ${latest - 1}`)
})

const diagnose = async (flaw: Partial<Cluster>) => {
  const findings = await citusStore({ db: setUp(flaw).db }).diagnose?.({})
  return findings?.filter(({ check }) => check === "citus")
}

it.each<[string, Partial<Cluster>, "ok" | "failed", string]>([
  ["a complete schema", {}, "ok", `Citus 13.2 on PostgreSQL 15 holds schema "pixcharge" in 6 shards`],
  [
    "a schema without a table",
    { tables: without(fit.tables, "returns") },
    "failed",
    `schema "pixcharge" is not distributed as this release needs it: ${command}`,
  ],
  [
    "a cluster whose nodes don't reach each other",
    { broken: 1 },
    "failed",
    "1 of 9 connections between nodes fail: check that each node runs",
  ],
  ["a cluster that doesn't report its state", { functions: "42501" }, "failed", "the cluster doesn't report its state"],
])("a diagnosis reports %s", async (_, flaw, status, message) => {
  expect(await diagnose(flaw)).toEqual([{ check: "citus", status, message }])
})

it("a diagnosis doesn't read the shards of a schema that lacks migrations", async () => {
  const connection = connectTo(fit, async (statement) => db.query(statement))
  const findings = await citusStore({ db: connection, schema: "absent", migrations: "check" }).diagnose?.({})
  expect(findings?.map(({ check, status }) => [check, status])).toEqual([
    ["database", "ok"],
    ["rights", "ok"],
    ["migrations", "failed"],
  ])
})
