import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { freePort, serverFolder, serverUser } from "../../world/index.ts"
import { readCpuNs } from "../costs.ts"

const program = "/usr/sbin/pgbouncer"

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

export interface Pgbouncer {
  readonly name: string
  readonly url: string
  readonly cpuNs: () => number
  readonly stop: () => Promise<void>
}

/** Starts Debian's pgbouncer in transaction mode; undefined if it isn't installed. */
export const startPgbouncer = async (databaseUrl: string, connections: number): Promise<Pgbouncer | undefined> => {
  if (!existsSync(program)) return undefined
  const folder = serverFolder("pgbouncer")
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const port = await freePort()
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${connections}`,
    "max_client_conn = 200",
    "ignore_startup_parameters = extra_float_digits",
  ]
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(file, `${lines.join("\n")}\n`)
  const child = spawn(program, ["--quiet", file], { ...serverUser(), cwd: folder, stdio: "ignore" })
  const exit = once(child, "exit")
  for (let tries = 0; !(await listens(port)); tries++) {
    if (tries === 200 || child.exitCode !== null) throw new Error("pgbouncer did not start")
    await new Promise((resume) => void setTimeout(resume, 50))
  }
  const [name = "pgbouncer"] = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.split("\n")
  return {
    name,
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    cpuNs: () => readCpuNs(child.pid ?? 0),
    stop: async () => {
      child.kill("SIGINT")
      await exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
