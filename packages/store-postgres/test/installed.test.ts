import { postgresStore } from "@pixcharge/store-postgres"
import { chargeArchiveSuite, chargeStoreSuite, outboxSuite } from "@pixcharge/testkit"
import pg from "pg"
import { afterAll, describe, expect, inject, it } from "vitest"
import { installedPostgres, isPgbouncerInstalled, startInstalledPostgres, startPgbouncer } from "./debian.ts"
import { realPostgres } from "./realPostgres.ts"
import { storeHooks } from "./storeHooks.ts"

// With what Debian's packages bring, in the long run only: other versions of Postgres, and the real pgbouncer.
const isLong = process.env["LONG"] !== undefined

const skippedLoudly = (what: string, how: string): void => {
  it.skip(`NOT TESTED: ${what} (${how})`, () => {})
  if (isLong) console.warn(`\n*** NOT TESTED: ${what}. ${how}\n`) // oxlint-disable-line no-console
}

const suites = (name: string, db: pg.Pool): void => {
  const layer = postgresStore({ db })
  chargeStoreSuite(name, layer, storeHooks(db))
  outboxSuite(name, layer, storeHooks(db))
  chargeArchiveSuite(name, layer, storeHooks(db))
}

const servers = installedPostgres()
if (!isLong || servers.length === 0) {
  skippedLoudly("other versions of Postgres", "LONG=1, and apt install postgresql-15 or any other from 15 to 18")
} else {
  for (const { version, bin } of servers) {
    const server = await startInstalledPostgres(bin)
    const pool = new pg.Pool({ connectionString: `${server.url}/postgres` })
    // Connections that are still ending when the server stops.
    pool.on("error", () => {})
    afterAll(async () => {
      await pool.end()
      await server.remove()
    })
    suites(`Postgres ${version}`, pool)
  }
}

if (!isLong || !isPgbouncerInstalled()) {
  skippedLoudly("pgbouncer in transaction mode", "LONG=1, and apt install pgbouncer")
} else {
  const direct = await realPostgres()
  const bouncer = await startPgbouncer(inject("postgresUrl"))
  const database = new URL(direct.options.connectionString ?? "").pathname
  const pool = new pg.Pool({ connectionString: `${bouncer.url}${database}`, max: 30 })
  afterAll(async () => {
    await pool.end()
    await bouncer.remove()
  })
  suites("pgbouncer", pool)

  describe("pgbouncer in transaction mode", () => {
    it("gives one client's statements to several sessions of the server, which is what is tested here", async () => {
      const pids = await Promise.all(
        Array.from(
          { length: 40 },
          async () => (await pool.query("SELECT pg_backend_pid() AS pid, pg_sleep(0.01)")).rows[0].pid,
        ),
      )
      expect(new Set(pids).size).toBeLessThanOrEqual(4)
      expect(new Set(pids).size).toBeGreaterThan(1)
    })
  })
}
