import { PostgresServer } from "./PostgresServer.ts"
import { embeddedPostgres, type PostgresPrograms } from "./programs.ts"

/** A Postgres server of one test. */
export interface RealServer {
  /** Without `/<database>`. */
  readonly url: string
  readonly port: number
  /** Stops the server; its data stay. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops it and deletes its files. */
  readonly remove: () => Promise<void>
}

/** Another process has taken the port that was free a moment ago. */
const isPortTaken = (cause: unknown): boolean => String(cause).includes("Address already in use")

const maxPorts = 3

/** Starts a server, by default from `node_modules`. It and its files end with this process, however that ends. */
export const startPostgres = async (
  flags: ReadonlyArray<string> = [],
  programs = embeddedPostgres(),
): Promise<RealServer> => {
  const server = await startServer(flags, programs, maxPorts)
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${server.port}`,
    port: server.port,
    stop: () => server.stop(),
    start: () => server.start(),
    remove: () => server.remove(),
  }
}

const startServer = async (
  flags: ReadonlyArray<string>,
  programs: PostgresPrograms,
  ports: number,
): Promise<PostgresServer> => {
  const server = await PostgresServer.make(programs, flags)
  try {
    await server.initialise()
    await server.start()
    return server
  } catch (cause) {
    await server.remove()
    if (ports > 1 && isPortTaken(cause)) return startServer(flags, programs, ports - 1)
    throw cause
  }
}
