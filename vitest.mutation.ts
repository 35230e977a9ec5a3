import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { project } from "./vitest.workspace.ts"

const root = import.meta.dirname
const { test, ...rest } = project(root, "mutation")

/** All tests of the packages as one project, for `packages/mutation`, which runs them in one worker. */
export default defineConfig({
  ...rest,
  test: {
    ...test,
    include: ["packages/*/test/**/*.test.ts", "docs/test/**/*.test.ts"],
    // The snippets run in processes of their own, on what was built: no fault is switched on there.
    exclude: [...test.exclude, "packages/mutation/**", "docs/test/snippets.test.ts"],
    globalSetup: [join(root, "packages/store-postgres/test/globalSetup.ts")],
  },
})
