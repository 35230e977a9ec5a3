import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install } from "../../release/install.ts"
import { pack } from "../../release/pack.ts"
import { findNeeded, type Package, packagesIn } from "../../release/packages.ts"
import { root } from "../../world/root.ts"

/** The packages that a host imports. */
const imported = ["callback-fetch", "embed", "processor-api-pix", "store-postgres"].map((name) => `@pixcharge/${name}`)

/** The packages of a repository of ours that a host needs. */
export const hostPackages = (source: string): ReadonlyArray<Package> => findNeeded(imported, packagesIn(source))

/** A folder that goes with this process. */
export const makeFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `pixcharge-${name}-`))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Packs a built repository of ours, and installs it in the folder `host`, with a host's program, which it returns. */
export const installHost = async (source: string, folder: string): Promise<string> => {
  const tarballs = join(folder, "tarballs")
  mkdirSync(tarballs, { recursive: true })
  const packed = await pack(tarballs, hostPackages(source))
  const files = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${filename}`]))
  const version = (name: string): string => {
    const manifest = join(source, "packages/store-postgres/node_modules", name, "package.json")
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version
  }
  await install(join(folder, "host"), { ...files, effect: version("effect"), pg: version("pg") }, files)
  for (const file of ["chaos/host.js", "world/Worker.js"])
    cpSync(join(root, "verify/dist", file), join(folder, "host", file))
  return join(folder, "host/chaos/host.js")
}
