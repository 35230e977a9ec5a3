import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const source = new URL("../src/", import.meta.url)

/** The folders of core from the ground up: each imports only from itself and from those before it, types included. */
const order = [
  "telemetry",
  "error",
  "options",
  "money",
  "calendar",
  "page",
  "storable",
  "cache",
  "breaker",
  "exchange",
  "party",
  "brcode",
  "charge",
  "plain",
  "directory",
  "ports",
  "service",
]

const folderName = (path: string): string => {
  // The errors name charges, and the rules of charges fail with them.
  if (path === "errors.ts") return "charge"
  return path.split("/")[0] ?? ""
}

/** The files of core that a file of core names, as paths below `src`. */
const importedFiles = (path: string): ReadonlyArray<string> =>
  [...readFileSync(new URL(path, source), "utf8").matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, from = ""]) =>
    new URL(from, new URL(path, source)).href.slice(source.href.length),
  )

const files = readdirSync(source, { encoding: "utf8", recursive: true }).filter(
  (path) => path.endsWith(".ts") && path !== "index.ts",
)

it("every file of core stands in a folder whose place is known", () => {
  expect(files.length).toBeGreaterThan(100)
  for (const path of files) expect(order, path).toContain(folderName(path))
})

it("no folder of core imports from one that stands above it", () => {
  const upward = files.flatMap((path) =>
    importedFiles(path)
      .filter((imported) => order.indexOf(folderName(imported)) > order.indexOf(folderName(path)))
      .map((imported) => `${path} imports ${imported}`),
  )
  expect(files.flatMap(importedFiles).length).toBeGreaterThan(300)
  expect(upward).toEqual([])
})
