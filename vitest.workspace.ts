import { existsSync, readdirSync } from "node:fs"
import { defineConfig } from "vitest/config"

const root = import.meta.dirname

/** Tests read the source of every workspace package, so that no build can be stale. */
const alias = [
  { find: /^@pixcharge\/([^/]+)$/, replacement: `${root}/packages/$1/src/index.ts` },
  { find: /^@pixcharge\/([^/]+)\/([^/]+)$/, replacement: `${root}/packages/$1/src/$2/index.ts` },
]

const projectOf = (folder: string, name: string) => {
  const place = `${root}/${folder}/${name}`
  const globalSetup = `${place}/test/globalSetup.ts`
  return {
    resolve: { alias },
    test: {
      name,
      root: place,
      include: ["test/**/*.test.ts"],
      testTimeout: process.env["LONG"] ? 600_000 : 20_000,
      globalSetup: existsSync(globalSetup) ? [globalSetup] : [],
    },
  }
}

const projectsOf = (folder: string) => readdirSync(`${root}/${folder}`).map((name) => projectOf(folder, name))

export default defineConfig({
  // Many tests only wait for what must not come.
  test: { maxWorkers: 2, projects: [...projectsOf("packages"), ...projectsOf("examples")] },
})
