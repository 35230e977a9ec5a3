import { setTimeout as sleep } from "node:timers/promises"
import { embeddedPostgres, PostgresServer } from "../../world/index.ts"
import { type TablePlace, tables } from "../judge/readRows.ts"
import type { Database } from "./Database.ts"

/** Nothing depends on what a power cut would leave. */
export const serverFlags = ["-c", "fsync=off"]

/** The tables of one server. */
export const placesOn = (server: PostgresServer): ReadonlyArray<TablePlace> =>
  tables.map((table) => ({
    table,
    name: "the database",
    relation: `pixcharge.${table}`,
    url: server.url(),
    isHomeOf: () => true,
  }))

/** One Postgres, which may be killed and comes back. */
export const openServer = async (downMs = 500): Promise<Database> => {
  const server = await PostgresServer.make(embeddedPostgres(), serverFlags)
  await server.initialise()
  await server.start()
  return {
    store: "postgres",
    schema: "pixcharge",
    targets: [{ port: server.port }],
    faults: {
      killDatabase: async () => {
        await server.kill()
        await sleep(downMs)
        await server.start()
      },
    },
    places: async () => placesOn(server),
    close: () => server.remove(),
  }
}
