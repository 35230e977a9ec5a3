import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const source = new URL("../src/", import.meta.url)

/** The layers of core from the ground up, and the folders of each: one imports only from itself and from those before it. */
const order = [
  "runtime",
  "model/money",
  "model/calendar",
  "model/party",
  "model/brcode",
  "model/cycle",
  "model/charge",
  "model/recurrence",
  "model/directory",
  "plain",
  "schema",
  "ports",
  "services/directory",
  "services/events",
  "services/charges",
  "services/recurrences",
  "services/reports",
  "services/reconcile",
]

const partName = (path: string): string => order.find((part) => path.startsWith(`${part}/`)) ?? ""

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
