import type { TestProject } from "vitest/node"
import { startPostgres } from "./startPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of a real Postgres without a database; append `/<database>`. */
    postgresUrl: string
  }
}

/** Sets up a real Postgres that tests share. It doesn't survive a power cut. */
export const providePostgres = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres(["-c", "fsync=off"])
  project.provide("postgresUrl", server.url)
  return server.remove
}
