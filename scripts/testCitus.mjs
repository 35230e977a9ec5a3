// Runs what needs a Citus cluster: `CITUS_URL=postgres://... pnpm test:citus`, the URL of its coordinator. Without one, nothing
// is run, which is no failure: the exit code is 0.
import { spawnSync } from "node:child_process"

if (!process.env.CITUS_URL) {
  console.log(`
NOT RUN: the tests on Citus. They need a cluster with at least two workers, whose coordinator CITUS_URL names:

    CITUS_URL=postgres://postgres@127.0.0.1:5432/postgres pnpm test:citus

Each makes schemas of its own and drops them at its end. Where all nodes are on this machine, some kill nodes and start them again.
`)
} else {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "citus/vitest.config.ts", ...process.argv.slice(2)]
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1
}
