import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installedPostgres } from "../world/programs.ts"

export const findPgbench = (): string | undefined =>
  installedPostgres()
    .map(({ bin }) => join(bin, "pgbench"))
    .find((file) => existsSync(file))

/** Runs a script of one statement. Returns nanoseconds per execution. */
export const pgbench = (
  program: string,
  url: string,
  script: string,
  { clients, ms }: { readonly clients: number; readonly ms: number },
): number => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-pgbench-"))
  const file = join(folder, "script.sql")
  writeFileSync(file, script)
  const { hostname, port, username, password, pathname } = new URL(url)
  const flags = `-n -M prepared -c ${clients} -j 2 -T ${Math.ceil(ms / 1000)}`.split(" ")
  const run = spawnSync(
    program,
    [...flags, "-f", file, "-h", hostname, "-p", port, "-U", username, pathname.slice(1)],
    {
      encoding: "utf8",
      env: { ...process.env, PGPASSWORD: password },
    },
  )
  rmSync(folder, { recursive: true, force: true })
  const tps = Number(/tps = ([\d.]+)/.exec(run.stdout)?.[1])
  if (!(tps > 0)) throw new Error(`pgbench failed:\n${run.stdout}${run.stderr}`)
  return 1e9 / tps
}
