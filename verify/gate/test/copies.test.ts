import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../../world/root.ts"

const sources = readdirSync(join(root, "packages")).flatMap((name) =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const path = join("packages", name, "src", file)
      return { name, path, text: readFileSync(join(root, path), "utf8") }
    }),
)

/**
 * The names of the core's exports. Adapters also make values of these classes, and an adapter can have its own copy of
 * the core.
 */
const coreExports = new Set(
  readFileSync(join(root, "verify/gate/exports/core.txt"), "utf8")
    .split("\n")
    .map((line) => line.trim()),
)

const importsFromOurs = (text: string, className: string): boolean =>
  new RegExp(`import \\{[^}]*\\b${className}\\b[^}]*\\} from "@pixcharge/`).test(text)

it("no package tests another package's values by instanceof, which fails between two copies", () => {
  const tests = sources.flatMap(({ name, path, text }) =>
    [...text.matchAll(/ instanceof (\w+)/g)].map(([, className = ""]) => ({ name, path, text, className })),
  )
  expect(tests.length).toBeGreaterThan(20)
  const foreign = tests.filter(
    ({ name, text, className }) => (name === "core" && coreExports.has(className)) || importsFromOurs(text, className),
  )
  expect(foreign.map(({ path, className }) => `${path}: ${className}`)).toEqual([])
})

it("no symbol and no service tag is unique to its module", () => {
  const symbols = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bSymbol\((.*?)\)/g)].map(([, label = ""]) => `${path}: ${label}`),
  )
  // This symbol marks a free file and never leaves its module.
  expect(symbols).toEqual(['packages/store-postgres/src/pglite/folderLock.ts: "free"'])
})
