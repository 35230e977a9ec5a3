import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const source = new URL("../src/", import.meta.url)

/** The parts of core from the ground up: each imports only from itself and from those before it, types included. */
const order = [
  "runtime",
  "runtime/telemetry",
  "runtime/error",
  "runtime/options",
  "money",
  "calendar",
  "runtime/page",
  "runtime/storable",
  "runtime/cache",
  "runtime/breaker",
  "runtime/exchange",
  "party",
  "brcode",
  "recurrence/cycles",
  "charges/rules",
  "recurrence/rules",
  "plain",
  "schema",
  "directory",
  "ports",
  "directory/host",
  "events",
  "charges",
  "recurring",
  "reports",
  "reconcile",
]

/** What the subpaths of the rules export. */
const rulesIndexes: ReadonlyMap<string, string> = new Map([
  ["charges/index.ts", "charges/rules"],
  ["recurrence/index.ts", "recurrence/rules"],
])

/** The innermost of the parts that a file lies in. */
const partName = (path: string): string =>
  rulesIndexes.get(path) ??
  order.filter((part) => path.startsWith(`${part}/`)).toSorted((a, b) => b.length - a.length)[0] ??
  ""

/** The files of core that a file of core names, as paths below `src`. */
const importedFiles = (path: string): ReadonlyArray<string> =>
  [...readFileSync(new URL(path, source), "utf8").matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, from = ""]) =>
    new URL(from, new URL(path, source)).href.slice(source.href.length),
  )

const files = readdirSync(source, { encoding: "utf8", recursive: true }).filter(
  (path) => path.endsWith(".ts") && path !== "index.ts" && path !== "internal/index.ts",
)

it("every file of core lies in a part whose place is known", () => {
  expect(files.length).toBeGreaterThan(100)
  for (const path of files) expect(order, path).toContain(partName(path))
})

it("no part of core imports from one above it", () => {
  const upward = files.flatMap((path) =>
    importedFiles(path)
      .filter((imported) => order.indexOf(partName(imported)) > order.indexOf(partName(path)))
      .map((imported) => `${path} imports ${imported}`),
  )
  expect(files.flatMap(importedFiles).length).toBeGreaterThan(300)
  expect(upward).toEqual([])
})
