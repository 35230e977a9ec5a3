import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "..")

/** The published packages of a repository of ours: their folders and manifests. */
export const packagesIn = (source) =>
  readdirSync(join(source, "packages"))
    .map((name) => join(source, "packages", name))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)

/** Those of this one. */
export const packages = packagesIn(root)

/** Packs packages into a folder; every published one by default. */
export const pack = (destination, chosen = packages) =>
  chosen.map(({ folder, manifest }) => {
    const command = ["pack", "--json", "--pack-destination", destination]
    const printed = execFileSync("pnpm", command, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }).toString()
    const { filename, files } = JSON.parse(printed.slice(printed.indexOf("{")))
    return { name: manifest.name, filename, files: files.map(({ path }) => path) }
  })
