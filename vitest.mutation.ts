import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { project } from "./vitest.workspace.ts"

/** All tests of the packages as one project, for `packages/mutation`, which runs them in one worker. */
export default defineConfig(
  project({
    name: "mutation",
    include: ["packages/*/test/**/*.test.ts", "docs/test/**/*.test.ts"],
    // The snippets run in processes of their own, on what was built: no fault is switched on there.
    exclude: ["packages/mutation/**", "docs/test/snippets.test.ts"],
    globalSetup: join(import.meta.dirname, "packages/store-postgres/test/globalSetup.ts"),
    isolate: true,
  }),
)
