import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { root } from "../world/root.ts"

const names = z.record(z.string(), z.string()).default({})

/** What is read of a manifest; what else it has is kept. */
const Manifest = z.looseObject({
  name: z.string(),
  version: z.string().default("0.0.0"),
  private: z.boolean().default(false),
  /** A module, or the path of a file of data. */
  exports: z
    .record(z.string(), z.union([z.string(), z.looseObject({ types: z.string(), default: z.string() })]))
    .default({}),
  bin: names,
  dependencies: names,
  devDependencies: names,
  scripts: names,
  repository: z.looseObject({ url: z.string() }).default({ url: "" }),
})

/** A package's manifest. */
export type Manifest = z.infer<typeof Manifest>

/** A package of a workspace. */
export interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

export const readManifest = (folder: string): Manifest =>
  Manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")))

/** The published packages of a repository of ours. */
export const packagesIn = (source: string): ReadonlyArray<Package> =>
  readdirSync(join(source, "packages"))
    .map((name) => join(source, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private)

/** Those of this one. */
export const packages = packagesIn(root)

/** Those that these need by their names, themselves included. */
export const findNeeded = (wanted: Iterable<string>, known = packages): ReadonlyArray<Package> => {
  const manifests = new Map(known.map((one) => [one.manifest.name, one.manifest]))
  const needed = new Set(wanted)
  // What is added while it is gone through is gone through as well.
  for (const name of needed) {
    for (const other of Object.keys(manifests.get(name)?.dependencies ?? {}))
      if (manifests.has(other)) needed.add(other)
  }
  return known.filter(({ manifest }) => needed.has(manifest.name))
}

/** The modules that a package exports: its subpaths, each with its types and its file. */
export const listModules = ({ exports }: Pick<Manifest, "exports">) =>
  Object.entries(exports).flatMap(([subpath, entry]) => (typeof entry === "string" ? [] : [{ subpath, ...entry }]))
