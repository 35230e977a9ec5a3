import type { TestProject } from "vitest/node"
import { startPostgres } from "./startPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of a real Postgres, to which `/<database>` is to be added. */
    postgresUrl: string
  }
}

/** The set-up of tests that share a real Postgres, whose state after a power cut none of them needs. */
export const providePostgres = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres(["-c", "fsync=off"])
  project.provide("postgresUrl", server.url)
  return server.remove
}
