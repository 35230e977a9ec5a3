import { defineConfig } from "vitest/config"
import { NotRun } from "../gate/notRun.ts"
import { project } from "../vitest.workspace.ts"

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"])
const { resolve, test } = project({
  name: "citus",
  include: ["citus/test/**/*.test.ts", "citus/chaos/test/*.test.ts"],
  isolate: true,
})

/** What needs a cluster: `pnpm test:citus`, which names it. Never part of the gate. */
export default defineConfig({
  resolve,
  test: {
    ...test,
    // All files share one cluster, and some kill its nodes.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ["default", new NotRun()],
    tags: [
      ...test.tags,
      {
        name: "killsNodes",
        description: "the nodes of CITUS_URL are not on this machine (loopback), so that no test may kill one",
        skip: !loopback.has(new URL(process.env["CITUS_URL"] ?? "postgres://other").hostname),
      },
    ],
  },
})
