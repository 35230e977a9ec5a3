import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { startPostgres } from "@pixcharge/verify/world"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the server that all test files share. */
    postgresUrl: string
  }
}

const root = `${import.meta.dirname}/../../..`

/**
 * Builds this package once for tests with their own processes, and starts one real Postgres for all test files. Its data needn't
 * survive a power cut. Autovacuum is off, because it would change plans, rows' places and locks at any time.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  await promisify(execFile)(`${root}/node_modules/.bin/tsc`, ["-b", `${import.meta.dirname}/..`])
  const settings = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "autovacuum=off"]
  const server = await startPostgres(settings.flatMap((setting) => ["-c", setting]))
  project.provide("postgresUrl", server.url)
  return server.remove
}
