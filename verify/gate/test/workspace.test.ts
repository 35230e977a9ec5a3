import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { describe, expect, it } from "vitest"
import { root } from "../../world/root.ts"

type Names = Readonly<Record<string, string>>

interface Manifest {
  readonly name: string
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly bin?: Names
  readonly exports?: object
}

const readManifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest

const workspace = new Map(
  ["packages", "examples"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder): [string, Manifest] => [folder, readManifestOf(folder)]),
)

/** The packages with these names, and the packages that they need to build and to run. */
const findBuilt = (names: ReadonlyArray<string>): ReadonlyArray<[string, Manifest]> => {
  const found = new Set(names)
  for (const name of found) {
    const manifest = [...workspace.values()].find((one) => one.name === name)
    for (const next of Object.keys(manifest?.dependencies ?? {})) found.add(next)
  }
  return [...workspace].filter(([, { name }]) => found.has(name))
}

/** The imports of a file, without imports inside its strings. */
const readImports = (path: string): ReadonlyArray<string> =>
  parseAst(readFileSync(path, "utf8"), { lang: "ts" }).body.flatMap((node) =>
    "source" in node && node.source !== null ? [node.source.value] : [],
  )

const importedBy = (folder: string): ReadonlySet<string> => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  )
  const specifiers = files.flatMap((file) => readImports(join(root, folder, file)))
  const packages = specifiers.filter((name) => !/^(\.|node:)/.test(name))
  return new Set(packages.map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/")))
}

/** The part of the repository to which a file belongs. Imports between parts use published exports. */
const findPart = (file: string): string => {
  const part = /^(?:packages|examples)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? ""
  // The site shows the docs, and the tests of the docs test it, so it counts as a part of them.
  return part === "site" ? "docs" : part
}

/** This test compares the client's copy of the contract with the original. */
const seesTwo = "packages/client/test/wire.test.ts"

const findReached = (part: string): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", part], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.[cm]?tsx?$/.test(file) && file !== seesTwo && existsSync(join(root, file)))
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/^(?:import|export|\}).*\bfrom "(\.[^"]*)"$/gm)]
        .map(([, path = ""]) => join(file, "..", path))
        .filter((imported) => findPart(imported) !== findPart(file) && imported !== "vitest.workspace.ts")
        .map((imported) => `${file} imports ${imported}`),
    )

describe("the workspace", () => {
  it.each(["docs", "site", "verify", "packages", "examples"])(
    "has no part in %s that imports files of another part",
    (part) => {
      expect(findReached(part)).toEqual([])
    },
  )

  it("has a root that depends on exactly the packages with which `start` builds", () => {
    const { dependencies = {}, devDependencies = {} } = readManifestOf(".")
    const built = findBuilt(["@pixcharge-examples/demonstration", "@pixcharge-examples/express-host"])
    const needed = built.flatMap(([folder, manifest]) => {
      const imported = [...importedBy(join(folder, "src")), ...Object.keys(manifest.peerDependencies ?? {})]
      const declared = { ...dependencies, ...devDependencies, ...manifest.devDependencies }
      return imported
        .flatMap((name) => [name, `@types/${name}`])
        .filter(
          (name) => name in declared && declared[name] !== "workspace:*" && !(name in (manifest.dependencies ?? {})),
        )
    })
    expect(Object.keys(dependencies)).toEqual([...new Set([...needed, "@types/node", "typescript"])].toSorted())
  })

  it.each([...workspace])("the source of %s imports only packages that its users install", (folder, manifest) => {
    // A package with only commands is packed together with our packages that it uses (verify/release/bundle.ts).
    const isWhole = manifest.bin !== undefined && manifest.exports === undefined
    const { name, dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest
    const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...(isWhole && devDependencies) }
    expect([...importedBy(join(folder, "src"))].filter((one) => one !== name && !(one in declared))).toEqual([])
  })
})
