import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/** A package as Node finds it from a folder. */
export interface Installed {
  /** The real folder, behind the links of package managers. */
  readonly folder: string
  readonly version: string
}

const listAncestors = (folder: string): ReadonlyArray<string> =>
  dirname(folder) === folder ? [folder] : [folder, ...listAncestors(dirname(folder))]

const listModuleFolders = (folder: string): ReadonlyArray<string> =>
  listAncestors(folder).map((ancestor) => join(ancestor, "node_modules"))

/** The package that an import from this folder leads to; undefined if none is installed. */
export const findInstalled = (folder: string, name: string): Installed | undefined => {
  const found = listModuleFolders(folder)
    .map((modules) => join(modules, name))
    .find((place) => existsSync(join(place, "package.json")))
  if (found === undefined) return undefined
  const real = realpathSync(found)
  const { version } = JSON.parse(readFileSync(join(real, "package.json"), "utf8")) as { readonly version: string }
  return { folder: real, version }
}

/** The real folders of our packages that are installed for code in this folder. */
export const findOurs = (folder: string): ReadonlyArray<string> =>
  listModuleFolders(folder)
    .map((modules) => join(modules, "@pixcharge"))
    .filter(existsSync)
    .flatMap((scope) => readdirSync(scope).map((name) => realpathSync(join(scope, name))))
