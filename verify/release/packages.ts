import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { root } from "../world/root.ts"

const names = z.record(z.string(), z.string()).default({})

/** The fields that we read. Other fields are kept. */
const Manifest = z.looseObject({
  name: z.string(),
  version: z.string().default("0.0.0"),
  private: z.boolean().default(false),
  exports: z
    .record(z.string(), z.union([z.string(), z.looseObject({ types: z.string(), default: z.string() })]))
    .default({}),
  bin: names,
  dependencies: names,
  devDependencies: names,
  scripts: names,
  repository: z.looseObject({ url: z.string() }).default({ url: "" }),
})

export type Manifest = z.infer<typeof Manifest>

export interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

export const readManifest = (folder: string): Manifest =>
  Manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")))

export const packagesIn = (source: string): ReadonlyArray<Package> =>
  readdirSync(join(source, "packages"))
    .map((name) => join(source, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private)

export const packages = packagesIn(root)

export const findNeeded = (wanted: Iterable<string>, known = packages): ReadonlyArray<Package> => {
  const manifests = new Map(known.map((one) => [one.manifest.name, one.manifest]))
  const needed = new Set(wanted)
  // The loop also visits the packages that it adds.
  for (const name of needed) {
    for (const other of Object.keys(manifests.get(name)?.dependencies ?? {}))
      if (manifests.has(other)) needed.add(other)
  }
  return known.filter(({ manifest }) => needed.has(manifest.name))
}

export const listModules = ({ exports }: Pick<Manifest, "exports">) =>
  Object.entries(exports).flatMap(([subpath, entry]) => (typeof entry === "string" ? [] : [{ subpath, ...entry }]))

/** True if a package has exports; false if it has only commands. */
export const isImported = (manifest: Pick<Manifest, "exports">): boolean => listModules(manifest).length > 0
