import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { expect, it } from "vitest"

const packages = resolve(import.meta.dirname, "../../packages")
const importLine = /(?:from|import)\s+"([^"]+)"/g

/** The source of `@pixcharge/core`, of `@pixcharge/core/money`. */
const entryOf = (name: string): string => {
  const [, folder = "", ...subpath] = name.split("/")
  return [folder, "src", ...subpath, "index.ts"].join("/")
}

/** Every module that an entry loads, and what it imports from outside the repository, types left out. */
const loadedBy = (entry: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const code = readFileSync(file, "utf8").replace(/import type [\s\S]*?from "[^"]+"/g, "")
    for (const [, name = ""] of code.matchAll(importLine)) {
      if (name.startsWith(".")) visit(join(dirname(file), name))
      else if (name.startsWith("@pixcharge/")) visit(join(packages, entryOf(name)))
      else seen.add(name)
    }
  }
  visit(join(packages, entry))
  return seen
}

it.each(["http/src/index.ts", "express/src/index.ts", "hono/src/index.ts", "embed/src/index.ts"])(
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

it("what tests of a host work with loads no test runner, and nothing that only authors of adapters need", () => {
  const loaded = [...loadedBy("testing/src/index.ts")].map((name) => name.replace(`${packages}/`, ""))
  expect(loaded).toContain("callback-fetch/src/receiver/index.ts")
  const needless = /^(testkit|simulated-bank|store-postgres|processor-api-pix|express|hono)\/|\/contract\//
  const runners = /^(vitest|fast-check|node:test|@jest\/.*)$/
  expect(loaded.filter((name) => needless.test(name) || runners.test(name))).toEqual([])
})
