import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { startPostgres } from "@pixcharge/verify/world"

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the real Postgres that all test files share. */
    postgresUrl: string
  }
}

const root = `${import.meta.dirname}/../../..`

/**
 * Builds this package once, for the tests that start processes of their own, and starts one real Postgres for all test
 * files; nothing in them depends on its state after a power cut. Only a test makes statistics: autovacuum would change plans,
 * the places of rows and locks at moments that depend on the machine.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  await promisify(execFile)(`${root}/node_modules/.bin/tsc`, ["-b", `${import.meta.dirname}/..`])
  const settings = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "autovacuum=off"]
  const server = await startPostgres(settings.flatMap((setting) => ["-c", setting]))
  project.provide("postgresUrl", server.url)
  return server.remove
}
