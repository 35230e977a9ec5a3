// Runs the tests that need a Citus cluster: `CITUS_URL=postgres://... pnpm test:citus`, with the URL of the cluster's
// coordinator. Without a URL it runs no test and exits with 0.
import { spawnSync } from "node:child_process"
import { tell } from "../world/commandLine.ts"
import { root } from "../world/root.ts"

if (!process.env["CITUS_URL"]) {
  tell(`
NOT RUN: the tests on Citus. They need a cluster with at least two workers, whose coordinator CITUS_URL names:

    CITUS_URL=postgres://postgres@127.0.0.1:5432/postgres pnpm test:citus

Each makes schemas of its own and drops them at its end. Where all nodes are on this machine, some kill nodes and start them again.
`)
} else {
  const args = ["run", "--config", "vitest.workspace.ts", "--project", "citus", ...process.argv.slice(2)]
  const { status } = spawnSync("node_modules/.bin/vitest", args, { cwd: root, stdio: "inherit" })
  process.exitCode = status ?? 1
}
