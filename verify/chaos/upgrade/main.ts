/**
 * Runs an older release and the working tree together on one database: packs both, installs each with a host of its own in a
 * scratch folder, and has verify/chaos/failover/test/upgrade.test.ts drive them. Ends with 1 if anything is lost or doubled, and if the
 * older release can't run on the working tree's schema, which it says before anything is packed.
 *
 *     pnpm test:upgrade [revision]   by default the newest tag; without any, the state before the newest migration
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install } from "../../release/install.ts"
import { pack } from "../../release/pack.ts"
import { neededBy, packagesIn, readManifest } from "../../release/packages.ts"
import { refuse, tell } from "../../world/commandLine.ts"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import { migrationsIn } from "./migrationsIn.ts"
import { packageFlaw, schemaFlaw } from "./olderFlaws.ts"

const newestTag = (): Promise<string | undefined> =>
  run("git", ["describe", "--tags", "--abbrev=0"]).catch(() => undefined)

const beforeNewestMigration = async (): Promise<string> =>
  `${await run("git", ["log", "-1", "--format=%H", "--", "packages/store-postgres/src/migrations/migrations.ts"])}^`

/** What host.mjs imports. */
const imported = ["callback-fetch", "embed", "processor-api-pix", "store-postgres"].map((name) => `@pixcharge/${name}`)

const neededIn = (source: string) => neededBy(imported, packagesIn(source))

/** Packs the release in `source` and installs it beside a host; its folder. */
const installHost = async (source: string, folder: string): Promise<string> => {
  const tarballs = join(folder, "tarballs")
  mkdirSync(tarballs, { recursive: true })
  const packed = await pack(tarballs, neededIn(source))
  const files = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${filename}`]))
  const version = (name: string) => readManifest(join(source, "packages/store-postgres/node_modules", name)).version
  const host = join(folder, "host")
  await install(host, { ...files, effect: version("effect"), pg: version("pg") }, files)
  copyFileSync(join(root, "verify/chaos/failover/host.mjs"), join(host, "host.mjs"))
  return host
}

/** The sources of a revision, with what they need, built; why it can't be the older release. */
const checkOut = async (revision: string, source: string): Promise<string | undefined> => {
  mkdirSync(source, { recursive: true })
  const archive = join(source, "..", "source.tar")
  await run("git", ["archive", "--output", archive, revision])
  await run("tar", ["-xf", archive, "-C", source])
  const flaw = packageFlaw(
    packagesIn(source).map(({ manifest }) => manifest.name),
    imported,
  )
  if (flaw !== undefined) return flaw
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"], source)
  const packer = existsSync(join(source, "verify/release/main.ts")) ? ["verify"] : []
  await run("node_modules/.bin/tsc", ["-b", ...neededIn(source).map((one) => one.folder), ...packer], source)
  return schemaFlaw(await migrationsIn(source), await migrationsIn(root))
}

const revision = process.argv[2] ?? (await newestTag()) ?? (await beforeNewestMigration())
const commit = await run("git", ["rev-parse", "--short", `${revision}^{commit}`])
const folder = mkdtempSync(join(tmpdir(), "pixcharge-upgrade-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

tell(`${revision} (${commit}) is packed, and then the working tree`)
const source = join(folder, "older/source")
const flaw = await checkOut(commit, source)
if (flaw !== undefined) refuse(`${revision} (${commit}) can't be the older release: ${flaw}`)
const env = {
  ...process.env,
  OLDER_HOST: await installHost(source, join(folder, "older")),
  NEWER_HOST: await installHost(root, join(folder, "newer")),
}
const test = ["--config", "vitest.workspace.ts", "--project", "failover", "verify/chaos/failover/test/upgrade.test.ts"]
const { status } = spawnSync("node_modules/.bin/vitest", ["run", ...test], { cwd: root, stdio: "inherit", env })
process.exitCode = status ?? 1
