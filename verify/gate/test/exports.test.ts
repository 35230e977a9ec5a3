import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../world/root.ts"

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, { readonly default: string } | string>>
}

const published = readdirSync(join(root, "packages"))
  .map((folder): [string, Manifest] => [
    folder,
    JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as Manifest,
  ])
  .filter(([, manifest]) => manifest.private !== true && manifest.exports !== undefined)

const statement =
  /^export (?:(type )?\{([^}]*)\}|(type|interface) (\w+)|(?:async )?(?:const|function|class) (\w+)|\* as (\w+) from "([^"]+)"|[^\n]*)/gm

/** The exports of an index: one entry for each name. Types are marked, and the names of a namespace follow it. */
const exportedNames = (code: string, readBeside: (path: string) => string): ReadonlyArray<string> =>
  [...code.matchAll(statement)]
    .flatMap(([text, type = "", list, typeWord, typeName, valueName, namespace, path = ""]) => {
      if (typeWord !== undefined) return [`type ${typeName}`]
      if (valueName !== undefined) return [valueName]
      if (namespace !== undefined) {
        const inner = exportedNames(readBeside(path), readBeside)
        return [namespace, ...inner.map((name) => name.replace(/\w+$/, `${namespace}.$&`))]
      }
      if (list === undefined) throw new Error(`An index exports by name: ${text}`)
      const names = list.split(",").map((name) => name.trim().replace(/^(type )?\w+ as /, "$1"))
      return names.filter((name) => name !== "").map((name) => type + name)
    })
    .toSorted()

const exportedBy = (index: string): ReadonlyArray<string> =>
  exportedNames(readFileSync(index, "utf8"), (path) => readFileSync(join(dirname(index), path), "utf8"))

const entries = (folder: string, { exports = {}, name }: Manifest): ReadonlyArray<readonly [string, string]> =>
  Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string"
      ? []
      : [
          [
            name + subpath.slice(1),
            join(root, "packages", folder, target.default.replace("/dist/", "/src/").replace(/\.js$/, ".ts")),
          ],
        ],
  )

describe("the exports of each package", () => {
  it.each(published)("%s exports what gate/exports lists (rewrite it by pnpm exports)", async (folder, manifest) => {
    const lists = entries(folder, manifest).map(([specifier, source]) =>
      [specifier, ...exportedBy(source).map((name) => `  ${name}`), ""].join("\n"),
    )
    await expect(lists.join("\n")).toMatchFileSnapshot(join(root, "verify/gate/exports", `${folder}.txt`))
  })

  it.each(published.flatMap(([folder, manifest]) => entries(folder, manifest)))(
    "%s exports at run time exactly the values that its index names",
    async (_, source) => {
      const loaded = (await import(source)) as Readonly<Record<string, unknown>>
      const values = exportedBy(source).filter((name) => !/^type |\./.test(name))
      expect(values).toEqual(Object.keys(loaded).toSorted())
    },
  )

  it("are at most 150 at the root of core, and core/internal repeats none of them", () => {
    const src = join(root, "packages/core/src")
    const promised = exportedBy(join(src, "index.ts"))
    expect(promised.length).toBeLessThanOrEqual(150)
    expect(exportedBy(join(src, "internal/index.ts")).filter((name) => promised.includes(name))).toEqual([])
  })

  it("are listed only for published packages", () => {
    const files = new Set(published.map(([folder]) => `${folder}.txt`))
    expect(readdirSync(join(root, "verify/gate/exports")).filter((file) => !files.has(file))).toEqual([])
  })

  it.each(['export * from "./a.ts"', 'export type * from "./a.ts"', "export default a"])(
    "are rejected if an index has %s",
    (line) => {
      expect(() => exportedNames(`export { b } from "./b.ts"\n${line}\n`, () => "")).toThrow("by name")
    },
  )
})
