import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { embeddedPostgres, PostgresServer } from "../../world/index.ts"
import { type TablePlace, tables } from "../judge/readRows.ts"
import type { Database } from "./Database.ts"

/** The server skips fsync, because the tests don't simulate a power cut. */
export const serverFlags = ["-c", "fsync=off"]

export const placesOn = (url: string): ReadonlyArray<TablePlace> =>
  tables.map((table) => ({
    table,
    name: "the database",
    relation: `pixcharge.${table}`,
    url,
    isHome: () => true,
  }))

const [lockings, lockedMs, freeMs] = [10, 150, 100]

/** Another session repeatedly locks all charges and payments, so concurrent decisions collide at their release. */
const lockRows = async (url: string): Promise<void> => {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  for (let locking = 0; locking < lockings; locking++) {
    await session.query("BEGIN")
    await session.query("SELECT FROM pixcharge.charges ORDER BY issuer, id FOR UPDATE")
    await session.query("SELECT FROM pixcharge.payments ORDER BY issuer, end_to_end_id FOR UPDATE")
    await sleep(lockedMs)
    await session.query("COMMIT")
    await sleep(freeMs)
  }
  await session.end()
}

export const openServer = async (downMs = 500): Promise<Database> => {
  const server = await PostgresServer.make(embeddedPostgres(), serverFlags)
  await server.initialise()
  await server.start()
  return {
    store: "postgres",
    schema: "pixcharge",
    targets: [{ port: server.port }],
    faults: {
      lockRows: () => lockRows(server.url()),
      killDatabase: async () => {
        await server.kill()
        await sleep(downMs)
        await server.start()
      },
    },
    places: async () => placesOn(server.url()),
    close: () => server.remove(),
  }
}
