import type { PostgresServer } from "../../../world/index.ts"
import pg from "pg"

/** Runs statements beside the hosts; their commits wait for no standby. */
export const administer = async (server: PostgresServer, statements: string): Promise<ReadonlyArray<unknown>> => {
  const session = new pg.Client({ connectionString: server.url(), options: "-c synchronous_commit=local" })
  await session.connect()
  try {
    return (await session.query(statements)).rows as ReadonlyArray<unknown>
  } finally {
    await session.end()
  }
}
