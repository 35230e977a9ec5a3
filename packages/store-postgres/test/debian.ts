import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { freePort, type RealServer, serverFolder, serverUser } from "@pixcharge/verify/world"

// Starts programs of Debian's packages, which must be installed.

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

const waitForStart = async (name: string, child: ChildProcess, port: number): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(port)) return
    if (child.exitCode !== null) break
    await new Promise((resume) => void setTimeout(resume, 50))
  }
  throw new Error(`${name} did not start`)
}

const stopProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGINT")
  })

const pgbouncer = "/usr/sbin/pgbouncer"

/** The real pgbouncer in transaction mode, with few connections to the server. */
export const startPgbouncer = async (serverUrl: string): Promise<Pick<RealServer, "url" | "remove">> => {
  if (!existsSync(pgbouncer)) throw new Error("Debian's package pgbouncer is not installed")
  const folder = serverFolder("pgbouncer")
  const port = await freePort()
  const server = new URL(serverUrl)
  const ini = join(folder, "pgbouncer.ini")
  const target = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`
  writeFileSync(
    ini,
    `[databases]
* = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
`,
  )
  const child = spawn(pgbouncer, [ini], { ...serverUser(), cwd: folder, stdio: "ignore" })
  await waitForStart("pgbouncer", child, port)
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    remove: async () => {
      await stopProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
