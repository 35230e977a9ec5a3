import { PostgresServer } from "./PostgresServer.ts"
import { embeddedPostgres, type PostgresPrograms } from "./programs.ts"

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

/** Somebody else has taken the port that was free a moment ago. */
const isPortTaken = (cause: unknown): boolean => String(cause).includes("Address already in use")

const maxPorts = 3

/**
 * Starts a real server, by default from the programs in `node_modules`: about a second, and no step by hand. It ends, and its
 * files are deleted, when this process ends in whatever way.
 */
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
