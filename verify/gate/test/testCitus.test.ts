import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { root } from "../../world/root.ts"

it.each([undefined, ""])(
  "test:citus without a cluster (CITUS_URL %j) reports that nothing was run, and succeeds",
  (url) => {
    const { CITUS_URL: _, ...others } = process.env
    const env = url === undefined ? others : { ...others, CITUS_URL: url }
    // Throws unless it exits with 0.
    const output = execFileSync(process.execPath, ["verify/dist/chaos/testCitus.js"], {
      cwd: root,
      env,
      encoding: "utf8",
    })
    expect(output).toContain("NOT RUN: the tests on Citus.")
  },
)
