import { z } from "zod"
import { run } from "../world/run.ts"
import { type Package, packages } from "./packages.ts"

const Packed = z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })

/** A package's tarball, and what is in it. */
export interface Tarball {
  readonly name: string
  readonly filename: string
  readonly files: ReadonlyArray<string>
}

const packOne = async (destination: string, { folder, manifest }: Package): Promise<Tarball> => {
  const printed = await run("pnpm", ["pack", "--json", "--pack-destination", destination], folder)
  const { filename, files } = Packed.parse(JSON.parse(printed.slice(printed.indexOf("{"))))
  return { name: manifest.name, filename, files: files.map(({ path }) => path) }
}

/** Packs packages into a folder; every published one by default. */
export const pack = async (destination: string, chosen = packages): Promise<ReadonlyArray<Tarball>> => {
  const tarballs = []
  for (const one of chosen) tarballs.push(await packOne(destination, one))
  return tarballs
}
