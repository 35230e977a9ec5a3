import { startPostgres } from "@pixcharge/verify/world"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of a real Postgres, to which `/<database>` is to be added. */
    postgresUrl: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres(["-c", "fsync=off"])
  project.provide("postgresUrl", server.url)
  return server.remove
}
