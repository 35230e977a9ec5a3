import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const debian = "/usr/lib/postgresql"

/** Where pgbench is installed, if it is: on the path, or where Debian's packages put it. */
export const findPgbench = (): string | undefined => {
  if (spawnSync("pgbench", ["--version"]).status === 0) return "pgbench"
  const versions = existsSync(debian) ? readdirSync(debian) : []
  return versions.map((version) => join(debian, version, "bin/pgbench")).find((file) => existsSync(file))
}

/** Runs a script of one statement by as many clients as there are callers; nanoseconds a statement. */
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
  const flags = [
    "-n",
    "-M",
    "prepared",
    "-c",
    String(clients),
    "-j",
    "2",
    "-T",
    String(Math.ceil(ms / 1000)),
    "-f",
    file,
  ]
  const run = spawnSync(program, [...flags, "-h", hostname, "-p", port, "-U", username, pathname.slice(1)], {
    encoding: "utf8",
    env: { ...process.env, PGPASSWORD: password },
  })
  rmSync(folder, { recursive: true, force: true })
  const tps = Number(/tps = ([\d.]+)/.exec(run.stdout)?.[1])
  if (!(tps > 0)) throw new Error(`pgbench failed:\n${run.stdout}${run.stderr}`)
  return 1e9 / tps
}
