import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { refuse, tell } from "../../world/commandLine.ts"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import { ownProgram } from "./Host.ts"
import type { Release } from "./Hosts.ts"
import { hostPackages, installHost, makeFolder } from "./installHost.ts"
import { migrationsIn } from "./migrationsIn.ts"
import { schemaFlaw } from "./olderFlaws.ts"

const newestTag = (): Promise<string | undefined> =>
  run("git", ["describe", "--tags", "--abbrev=0"]).catch(() => undefined)

/** Checks out and builds a revision; returns why it can't be the older release. */
const checkOut = async (revision: string, source: string): Promise<string | undefined> => {
  mkdirSync(source, { recursive: true })
  const archive = join(source, "..", "source.tar")
  await run("git", ["archive", "--output", archive, revision])
  await run("tar", ["-xf", archive, "-C", source])
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"], source)
  const packer = existsSync(join(source, "verify/release/main.ts")) ? ["verify"] : []
  await run("node_modules/.bin/tsc", ["-b", ...hostPackages(source).map((one) => one.folder), ...packer], source)
  return schemaFlaw(await migrationsIn(source), await migrationsIn(root))
}

/** Packs a Git revision, by default the newest tag, and installs a host of it; without a tag, that of the working tree. */
export const installOlder = async (wanted?: string): Promise<Release> => {
  const revision = wanted ?? (await newestTag())
  if (revision === undefined) return { name: "older", program: ownProgram }
  const commit = await run("git", ["rev-parse", "--short", `${revision}^{commit}`])
  tell(`${revision} (${commit}) is packed`)
  const folder = makeFolder("older")
  const source = join(folder, "source")
  const flaw = await checkOut(commit, source)
  if (flaw !== undefined) refuse(`${revision} (${commit}) can't be the older release: ${flaw}`)
  return { name: "older", program: await installHost(source, folder) }
}
