import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install } from "../../release/install.ts"
import { pack } from "../../release/pack.ts"
import { findNeeded, packagesIn } from "../../release/packages.ts"
import { refuse, tell } from "../../world/commandLine.ts"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import { ownProgram } from "./Host.ts"
import type { Release } from "./Hosts.ts"
import { migrationsIn } from "./migrationsIn.ts"
import { schemaFlaw } from "./olderFlaws.ts"

const newestTag = (): Promise<string | undefined> =>
  run("git", ["describe", "--tags", "--abbrev=0"]).catch(() => undefined)

const imported = ["callback-fetch", "embed", "processor-api-pix", "store-postgres"].map((name) => `@pixcharge/${name}`)

const findPackages = (source: string) => findNeeded(imported, packagesIn(source))

/** Checks out and builds a revision. Returns why it can't be the older release; undefined if it can. */
const checkOut = async (revision: string, source: string): Promise<string | undefined> => {
  mkdirSync(source, { recursive: true })
  const archive = join(source, "..", "source.tar")
  await run("git", ["archive", "--output", archive, revision])
  await run("tar", ["-xf", archive, "-C", source])
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"], source)
  const packer = existsSync(join(source, "verify/release/main.ts")) ? ["verify"] : []
  await run("node_modules/.bin/tsc", ["-b", ...findPackages(source).map((one) => one.folder), ...packer], source)
  return schemaFlaw(await migrationsIn(source), await migrationsIn(root))
}

const installHost = async (source: string, folder: string): Promise<string> => {
  const tarballs = join(folder, "tarballs")
  mkdirSync(tarballs, { recursive: true })
  const packed = await pack(tarballs, findNeeded(source))
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

/** Installs a Git revision: by default the newest tag, or the working tree if there is no tag. */
export const installOlder = async (wanted?: string): Promise<Release> => {
  const revision = wanted ?? (await newestTag())
  if (revision === undefined) return { name: "older", program: ownProgram }
  const commit = await run("git", ["rev-parse", "--short", `${revision}^{commit}`])
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-older-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  tell(`${revision} (${commit}) is packed`)
  const source = join(folder, "source")
  const flaw = await checkOut(commit, source)
  if (flaw !== undefined) refuse(`${revision} (${commit}) can't be the older release: ${flaw}`)
  return { name: "older", program: await installHost(source, folder) }
}
