import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { startPostgres } from "../../../../world/index.ts"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findFlaws } from "../../findFlaws.ts"
import { openWorld } from "../../openWorld.ts"
import { type Place, readRows } from "../../readRows.ts"
import { type Fault, faults, faultyStore } from "./faultyStore.ts"

const schemas = ["home", "elsewhere"]
const tables = ["charges", "payments", "returns", "deliveries", "settled_deliveries"]

let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres(["-c", "fsync=off"])
}, 60_000)
afterAll(() => server.remove())

/** What is found after some sales through two hosts on plain Postgres, where rows belong into one of two schemas. */
const flawsWith = async (fault: Fault, longestMs = Infinity): Promise<ReadonlyArray<string>> => {
  const pool = new pg.Pool({ connectionString: `${server.url}/postgres` })
  // Connections that are still ending when the server stops.
  pool.on("error", () => {})
  await pool.query("DROP SCHEMA IF EXISTS home, elsewhere CASCADE")
  for (const schema of schemas) await migrate(pool, { schema })
  const [home, elsewhere] = schemas.map((schema) => postgresStore({ db: pool, schema }))
  const store = faultyStore(home!, elsewhere!, fault)
  const world = await openWorld(
    "home",
    [1, 2].map((host) => ({ name: `host ${host}`, db: pool, store })),
    5,
  )
  try {
    const load = world.sell(5)
    while (world.ledger.sales.size < 60) await new Promise((resume) => void setTimeout(resume, 20))
    await load.stop()
    await world.drain()
    const places = schemas.flatMap((schema) =>
      tables.map((table): Place => ({
        table,
        name: schema,
        relation: `${schema}.${table}`,
        pool,
        isHomeOf: () => schema === "home",
      })),
    )
    return findFlaws(world.ledger, await readRows(places), { longestMs, interruptions: [] })
  } finally {
    await world.close()
    await pool.end()
  }
}

describe("the ledger of a load", () => {
  it("has nothing to say against a store that keeps its word", async () => {
    expect(await flawsWith({})).toEqual([])
  })

  it.each(Object.entries(faults))("finds a store that %s", async (_, { found, longestMs, ...fault }) => {
    const flaws = await flawsWith(fault, longestMs)
    expect(flaws.filter((flaw) => flaw.startsWith(found))).not.toEqual([])
  })
})
