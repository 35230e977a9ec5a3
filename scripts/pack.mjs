import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "..")

/** The published packages: their folders and manifests. */
export const packages = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter(({ manifest }) => manifest.private !== true)

/**
 * Packs every published package into a folder.
 *
 * @param {string} destination
 */
export const pack = (destination) =>
  packages.map(({ folder, manifest }) => {
    const command = ["pack", "--json", "--pack-destination", destination]
    const printed = execFileSync("pnpm", command, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }).toString()
    const { filename, files } = JSON.parse(printed.slice(printed.indexOf("{")))
    return { name: manifest.name, filename, files: files.map(({ path }) => path) }
  })
