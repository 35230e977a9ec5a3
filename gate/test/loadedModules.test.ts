import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { expect, it } from "vitest"

const packages = resolve(import.meta.dirname, "../../packages")
const importLine = /(?:from|import)\s+"([^"]+)"/g

/** Every module that an entry loads, and what it imports from outside the repository, types left out. */
const loadedBy = (entry: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const code = readFileSync(file, "utf8").replace(/import type [\s\S]*?from "[^"]+"/g, "")
    for (const [, name = ""] of code.matchAll(importLine)) {
      if (name.startsWith(".")) visit(join(dirname(file), name))
      else if (name.startsWith("@pixcharge/")) visit(join(packages, `${name.split("/")[1]}/src/index.ts`))
      else seen.add(name)
    }
  }
  visit(join(packages, entry))
  return seen
}

it.each(["http", "express", "fastify", "hono", "embed"].map((name) => `${name}/src/index.ts`))(
  "%s loads no HTTP router of Effect and no document of the contract",
  (entry) => {
    const loaded = [...loadedBy(entry)]
    expect(loaded.length).toBeGreaterThan(3)
    expect(loaded.filter((name) => /^effect\/http|\/contract\//.test(name))).toEqual([])
  },
)

it("the core runs anywhere: it loads nothing of a platform", () => {
  const outside = [...loadedBy("core/src/index.ts")].filter((name) => !name.startsWith("/"))
  expect(outside.filter((name) => !/^effect\/(encoding\/)?[A-Z]\w+$|^date-fns-tz$/.test(name))).toEqual([])
})
