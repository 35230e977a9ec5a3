import { PostgresServer } from "./PostgresServer.ts"
import { embeddedPostgres, type PostgresPrograms } from "./programs.ts"

export interface RealServer {
  /** The URL of the server without `/<database>`. */
  readonly url: string
  readonly port: number
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly remove: () => Promise<void>
}

const isPortTaken = (cause: unknown): boolean => String(cause).includes("Address already in use")

const maxPorts = 3

/**
 * Starts a Postgres server, by default from `node_modules`. When this process ends, even by a crash, the server ends
 * too and its files are deleted.
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
