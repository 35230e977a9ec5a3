import { postgresStore } from "@pixcharge/store-postgres"
import { installedPostgres, type RealServer, startPostgres } from "@pixcharge/verify/world"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import { storeSuite } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { realPostgres, storeHooks, until } from "@pixcharge/verify/postgres"
import { startPgbouncer } from "./debian.ts"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

// These suites run only in the long run. They use other versions of Postgres and the real pgbouncer, from Debian's packages.

const suites = (name: string, db: pg.Pool): void => storeSuite(name, postgresStore({ db }), storeHooks(db))

const poolOn = (start: () => Promise<Pick<RealServer, "url" | "remove">>, database: string, max?: number): pg.Pool => {
  // A pool reads its options whenever it connects.
  const pool = new pg.Pool({ max })
  // Connections can end after the server stops.
  pool.on("error", () => {})
  let server: Pick<RealServer, "url" | "remove"> | undefined
  beforeAll(async () => {
    server = await start()
    pool.options.connectionString = `${server.url}${database}`
  })
  afterAll(async () => {
    await pool.end()
    await server?.remove()
  })
  return pool
}

// Missing packages are listed too, and fail the long run.
const [first = { version: "15 to 18", bin: "/usr/lib/postgresql/15/bin" }, ...others] = installedPostgres()
for (const programs of [first, ...others]) {
  describe(`the package postgresql-${programs.version}`, { tags: ["long"] }, () => {
    suites(
      `Postgres ${programs.version}`,
      poolOn(() => startPostgres(["-c", "fsync=off"], programs), "/postgres"),
    )
  })
}

const direct = await realPostgres()

describe("the package pgbouncer", { tags: ["long"] }, () => {
  const database = new URL(direct.options.connectionString ?? "").pathname
  const pool = poolOn(() => startPgbouncer(inject("postgresUrl")), database, 30)
  suites("pgbouncer", pool)

  it("spreads one client's statements over several sessions of the server", async () => {
    const pids = await Promise.all(
      Array.from(
        { length: 40 },
        async () => (await pool.query("SELECT pg_backend_pid() AS pid, pg_sleep(0.01)")).rows[0].pid,
      ),
    )
    expect(new Set(pids).size).toBeLessThanOrEqual(4)
    expect(new Set(pids).size).toBeGreaterThan(1)
  })

  it("passes the cancellation of an abandoned statement on to the server", async () => {
    const { outbox } = await openStore({ db: pool })
    const held = await otherSession(direct, (client) =>
      client.query("LOCK TABLE pixcharge.settled_deliveries IN ACCESS EXCLUSIVE MODE"),
    )
    const countBlocked = async () =>
      (await direct.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rows[0].n
    const fiber = Effect.runFork(outbox.list(aCnpj, {}, { limit: 10 }))
    await until(async () => (await countBlocked()) === 1)
    await run(Fiber.interrupt(fiber))
    await until(async () => (await countBlocked()) === 0)
    await expect.poll(() => pool.idleCount).toBe(pool.totalCount)
    await held.end()
  })
})
