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

/** What the core exports, by name: adapters make these, too, and may have a copy of their own. */
const ofCore = new Set(
  readFileSync(join(root, "verify/gate/exports/core.txt"), "utf8")
    .split("\n")
    .map((line) => line.trim()),
)

const importsFromOurs = (text: string, className: string): boolean =>
  new RegExp(`import \\{[^}]*\\b${className}\\b[^}]*\\} from "@pixcharge/`).test(text)

it("no package asks by instanceof for what another one makes, for a process may hold two copies of it", () => {
  const asked = sources.flatMap(({ name, path, text }) =>
    [...text.matchAll(/ instanceof (\w+)/g)].map(([, className = ""]) => ({ name, path, text, className })),
  )
  expect(asked.length).toBeGreaterThan(20)
  const foreign = asked.filter(
    ({ name, text, className }) => (name === "core" && ofCore.has(className)) || importsFromOurs(text, className),
  )
  expect(foreign.map(({ path, className }) => `${path}: ${className}`)).toEqual([])
})

it("no symbol and no tag of a service is one of its module alone", () => {
  const symbols = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bSymbol\((.*?)\)/g)].map(([, label = ""]) => `${path}: ${label}`),
  )
  // Marks a file that is free: it goes nowhere.
  expect(symbols).toEqual(['packages/store-postgres/src/pglite/folderLock.ts: "free"'])
})
