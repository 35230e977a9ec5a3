/**
 * Runs an older release and the working tree together on one database: packs both, installs each with a host of its own in a
 * scratch folder, and has failover/test/upgrade.test.ts drive them. Ends with 1 if anything is lost or doubled, and if the
 * older release can't run on the working tree's schema, which it says before anything is packed.
 *
 *     pnpm test:upgrade [revision]   by default the newest tag; without any, the state before the newest migration
 */
import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install, readJson, run } from "./hosts/workspace.mjs"
import { packageFlaw, schemaFlaw } from "./olderFlaws.mjs"
import { neededBy, pack, packagesIn, root } from "./pack.mjs"

const git = (...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()

const newestTag = () => {
  const { status, stdout } = spawnSync("git", ["describe", "--tags", "--abbrev=0"], { cwd: root, encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}
const beforeNewestMigration = () =>
  `${git("log", "-1", "--format=%H", "--", "packages/store-postgres/src/migrations/migrations.ts")}^`

/** What host.mjs imports. */
const imported = ["callback-fetch", "embed", "processor-api-pix", "store-postgres"].map((name) => `@pixcharge/${name}`)

const neededIn = (source) => neededBy(imported, packagesIn(source))

/** Packs the release in `source` and installs it beside a host; its folder. */
const installHost = async (source, folder) => {
  const tarballs = join(folder, "tarballs")
  const host = join(folder, "host")
  for (const made of [tarballs, host]) mkdirSync(made, { recursive: true })
  const packed = pack(tarballs, neededIn(source))
  const files = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${filename}`]))
  const peers = join(source, "packages/store-postgres/node_modules")
  const version = (name) => readJson(join(peers, name, "package.json")).version
  const dependencies = { ...files, effect: version("effect"), pg: version("pg") }
  writeFileSync(join(host, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  copyFileSync(join(root, "failover/host.mjs"), join(host, "host.mjs"))
  await install(host, files)
  return host
}

/** The migrations of the built packages in `source`. */
const migrationsIn = async (source) => {
  const built = join(source, "packages/store-postgres/dist/migrations/migrations.js")
  return existsSync(built) ? (await import(built)).migrations : []
}

const runTests = (older, newer) => {
  const vitest = ["run", "--config", "vitest.workspace.ts", "--project", "failover", "failover/test/upgrade.test.ts"]
  const { status } = spawnSync(join(root, "node_modules/.bin/vitest"), vitest, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, OLDER_HOST: older, NEWER_HOST: newer },
  })
  return status ?? 1
}

/** Ends the run: the revision can't be the older release. */
class NotOlder extends Error {}

const refuse = (flaw) => {
  if (flaw !== undefined) throw new NotOlder(flaw)
}

/** The sources of a revision, with what they need, built. */
const checkOut = async (revision, source) => {
  mkdirSync(source, { recursive: true })
  const archive = join(source, "..", "source.tar")
  git("archive", "--output", archive, revision)
  await run("tar", ["-xf", archive, "-C", source], root)
  const names = packagesIn(source).map(({ manifest }) => manifest.name)
  refuse(packageFlaw(names, imported))
  await run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"], source)
  await run(join(source, "node_modules/.bin/tsc"), ["-b", ...neededIn(source).map(({ folder }) => folder)], source)
  refuse(schemaFlaw(await migrationsIn(source), await migrationsIn(root)))
}

const revision = process.argv[2] ?? newestTag() ?? beforeNewestMigration()
const commit = git("rev-parse", "--short", `${revision}^{commit}`)
const folder = mkdtempSync(join(tmpdir(), "pixcharge-upgrade-"))
try {
  console.log(`${revision} (${commit}) is packed, and then the working tree`)
  const source = join(folder, "older/source")
  await checkOut(commit, source)
  const older = await installHost(source, join(folder, "older"))
  const newer = await installHost(root, join(folder, "newer"))
  process.exitCode = runTests(older, newer)
} catch (error) {
  if (!(error instanceof NotOlder)) throw error
  console.error(`${revision} (${commit}) can't be the older release: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
