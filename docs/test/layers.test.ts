import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { layerFlaws, type Sources } from "./layers.ts"
import { readText, root } from "./pages.ts"

/** The folders of each package in architecture.md, lowest layer first. */
const readLayers = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const layers = new Map<string, ReadonlyArray<string>>()
  for (const [, name = "", folders = ""] of readText("docs/internals/architecture.md").matchAll(
    /^\| `([\w-]+)` +\| ((?:`[\w/-]+`(?:, )?)+) +\|/gm,
  )) {
    const known = layers.get(name) ?? []
    layers.set(name, [...known, ...[...folders.matchAll(/`([^`]+)`/g)].map(([, folder = ""]) => folder)])
  }
  return layers
}

const layers = readLayers()

const readSources = (name: string): Sources => {
  const source = join(root, "packages", name, "src")
  const paths = readdirSync(source, { encoding: "utf8", recursive: true }).filter((path) => /\.tsx?$/.test(path))
  return new Map(paths.map((path) => [path, readFileSync(join(source, path), "utf8")]))
}

it.each([...layers])(
  "in %s each folder imports only from itself and from folders above it in the table",
  (name, order) => {
    const sources = readSources(name)
    const flawsWithout = (folder: string) =>
      layerFlaws(
        order.filter((each) => each !== folder),
        sources,
      )
    expect(layerFlaws(order, sources)).toEqual([])
    expect(order.filter((folder) => flawsWithout(folder).length === 0)).toEqual([])
  },
)

it("every package with folders is in the table", () => {
  const withFolders = readdirSync(join(root, "packages")).filter((name) =>
    readdirSync(join(root, "packages", name, "src"), { withFileTypes: true }).some((entry) => entry.isDirectory()),
  )
  expect([...layers.keys()].toSorted()).toEqual(withFolders.toSorted())
})

it.each([
  ["a/one.ts", 'import { two } from "../b/two.ts"', "a/one.ts imports b/two.ts"],
  ["a/one.ts", 'import type { two } from "../b/two.ts"', "a/one.ts imports b/two.ts"],
  ["a/one.ts", 'export * from "../b/two.ts"', "a/one.ts imports b/two.ts"],
  ["a/deep/one.ts", 'const two = () => import("../../b/two.ts")', "a/deep/one.ts imports b/two.ts"],
  ["b/one.ts", 'import { three } from "../three.ts"', "b/one.ts imports three.ts"],
  ["b/one.ts", 'import { three } from "../index.ts"', "b/one.ts imports index.ts"],
  ["c/one.ts", "", "c/one.ts is in no folder of the table"],
])("reports %s with the line %j", (path, line, flaw) => {
  expect(layerFlaws(["a", "b", "src"], new Map([[path, line]]))).toEqual([flaw])
})

it("accepts imports from the same folder, from lower folders and of generated files", () => {
  const lines = ['import "./two.ts"', 'import "../a/one.ts"', 'import "../assets.ts"', 'import "effect/Effect"']
  expect(layerFlaws(["a", "b", "src"], new Map([["b/one.ts", lines.join("\n")]]))).toEqual([])
  expect(layerFlaws(["a", "b", "src"], new Map([["index.ts", 'import "./b/two.ts"']]))).toEqual([])
})
