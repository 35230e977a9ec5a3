import type { TestProject } from "vitest/node"
import { startPostgres } from "./startPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of a real Postgres without a database: append `/<database>`. */
    postgresUrl: string
  }
}

/** Starts a real Postgres that the tests share. It doesn't sync its files, so it is faster. */
export const providePostgres = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres(["-c", "fsync=off"])
  project.provide("postgresUrl", server.url)
  return server.remove
}
