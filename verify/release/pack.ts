import { z } from "zod"
import { run } from "../world/run.ts"
import { isImported, type Package, packages } from "./packages.ts"

const Packed = z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) })

export interface Tarball {
  readonly name: string
  readonly filename: string
  readonly files: ReadonlyArray<string>
  /** True if the package has exports; false if it has only commands. */
  readonly isImported: boolean
}

export const pack = async (
  destination: string,
  chosen: ReadonlyArray<Package> = packages,
): Promise<ReadonlyArray<Tarball>> => {
  const filters = chosen.flatMap(({ manifest }) => ["--filter", manifest.name])
  const command = ["--recursive", ...filters, "pack", "--json", "--pack-destination", destination]
  const printed = await run("pnpm", command, chosen[0]?.folder)
  const packed = z.array(Packed).parse([JSON.parse(printed)].flat())
  const imported = new Set(chosen.filter(({ manifest }) => isImported(manifest)).map(({ manifest }) => manifest.name))
  return packed.map(({ name, filename, files }) => ({
    name,
    filename,
    files: files.map(({ path }) => path),
    isImported: imported.has(name),
  }))
}
