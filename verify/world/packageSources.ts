import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.ts"

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
}

const packages = join(root, "packages")

const sourcesIn = (folder: string): ReadonlyArray<readonly [name: string, path: string]> => {
  const { name, exports = {} }: Manifest = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
  return Object.entries(exports).flatMap(([subpath, entry]): ReadonlyArray<readonly [string, string]> => {
    if (typeof entry === "string") return []
    const source = entry.default.replace("dist/", "src/").replace(/js$/, "ts")
    return [[join(name, subpath), join(packages, folder, source)]]
  })
}

/** The source module of each package entry: `@pixcharge/core/money` is `packages/core/src/model/money/index.ts`. */
export const packageSources: ReadonlyMap<string, string> = new Map(readdirSync(packages).flatMap(sourcesIn))
