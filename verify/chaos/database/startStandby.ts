import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { PostgresServer } from "../../world/index.ts"
import pg from "pg"

const standbyName = "standby"

/**
 * The failure of `cp` for a file that the busy server removed during the copy. The write-ahead log restores such files.
 */
const isGone = /No such file or directory$/

const copyFiles = (from: PostgresServer, to: PostgresServer): void => {
  const { status, stderr } = spawnSync("cp", ["-a", from.data, to.data], { encoding: "utf8" })
  const failures = stderr.split("\n").filter((line) => line !== "" && !isGone.test(line))
  if (status !== 0 && failures.length > 0) throw new Error(`cp ended with ${status}: ${failures.join("\n")}`)
}

/**
 * Starts a standby that follows the primary by streaming replication through the port `way`. It calls Postgres's backup
 * functions, because some Postgres packages lack `pg_basebackup`.
 */
export const startStandby = async (primary: PostgresServer, way: number): Promise<PostgresServer> => {
  const standby = await PostgresServer.make(primary.programs, primary.flags)
  const session = new pg.Client({ connectionString: primary.url() })
  await session.connect()
  try {
    await session.query("SELECT pg_backup_start('standby', true)")
    copyFiles(primary, standby)
    const { rows } = await session.query("SELECT labelfile FROM pg_backup_stop(false)")
    for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(standby.data, name), { force: true })
    standby.write("backup_label", String(rows[0].labelfile))
    standby.write("standby.signal", "")
  } finally {
    await session.end()
  }
  const source = `host=127.0.0.1 port=${way} user=postgres application_name=${standbyName}`
  standby.configure({ primary_conninfo: source })
  await standby.start()
  return standby
}
