import { existsSync, readdirSync } from "node:fs"
import { defineConfig } from "vitest/config"

const root = import.meta.dirname

/** Tests read the source of every workspace package, so that no build can be stale. */
const alias = [
  { find: /^@pixcharge\/([^/]+)$/, replacement: `${root}/packages/$1/src/index.ts` },
  { find: /^@pixcharge\/([^/]+)\/([^/]+)$/, replacement: `${root}/packages/$1/src/$2/index.ts` },
]

const projectsOf = (folder: string) =>
  readdirSync(`${root}/${folder}`).map((name) => ({
    resolve: { alias },
    test: {
      name,
      root: `${root}/${folder}/${name}`,
      include: ["test/**/*.test.ts"],
      globalSetup: existsSync(`${root}/${folder}/${name}/test/globalSetup.ts`) ? ["test/globalSetup.ts"] : [],
    },
  }))

export default defineConfig({
  test: { projects: [...projectsOf("packages"), ...projectsOf("examples")] },
})
