import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import pg from "pg"
import { freePort } from "./freePort.ts"
import type { PostgresPrograms } from "./programs.ts"
import { canEnter, canRun, giveToServer, serverFolder, serverUser } from "./serverUser.ts"

/**
 * A shell script that runs the server as its child and ends it at the end of the script's input. If the input ends
 * without a line, the parent is gone, perhaps by SIGKILL, and the script deletes the server's files.
 */
const guard = `"$@" & server=$!
read _ || isLeft=1
kill -QUIT $server 2>/dev/null
wait $server
[ -z "$isLeft" ] || rm -rf "$FOLDER"`

const startLimitMs = 120_000
const lookEveryMs = 20
/** Another process on the port can stay silent. */
const sessionLimitMs = 10_000

/** Ignores an ended process. */
export const signal = (pid: number, name: "SIGSTOP" | "SIGKILL" | "SIGINT"): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

export const listChildren = (pid: number): ReadonlyArray<number> =>
  spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .stdout.split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)

/** True if this server opens a session: another can have its port. A recovering server accepts connections but closes them. */
const serves = async (url: string, data: string): Promise<boolean> => {
  const session = new pg.Client({ connectionString: url, connectionTimeoutMillis: sessionLimitMs })
  session.on("error", () => undefined)
  try {
    await session.connect()
    const { rows } = await session.query("SELECT current_setting('data_directory') AS data")
    await session.end()
    return rows[0].data === data
  } catch {
    return false
  }
}

/** Copies programs with their libraries. All users can read the copies, and the server's user can delete them. */
const copyPrograms = (bin: string, to: string): void => {
  mkdirSync(to)
  for (const part of ["bin", "lib", "share"]) execFileSync("cp", ["-RP", join(dirname(bin), part), to])
  execFileSync("chmod", ["-R", "a+rX", to])
  const user = serverUser()
  if (user !== undefined) execFileSync("chown", ["-Rh", `${user.uid}:${user.gid}`, to])
}

/**
 * Makes a folder for a server. Returns it with programs that the server's user can run: those in `bin`, or copies in
 * the new folder.
 */
const placeServer = (bin: string) => {
  let used = bin
  const folder = serverFolder("server", (place) => {
    if (!canEnter(place)) return false
    if (canRun(join(bin, "postgres"), ["--version"], place)) return true
    copyPrograms(bin, join(place, "programs"))
    used = join(place, "programs/bin")
    return canRun(join(used, "postgres"), ["--version"], place)
  })
  return { folder, bin: used }
}

/** A server for tests to start, kill, copy and restart. Its user is `postgres`, without a password. */
export class PostgresServer {
  readonly programs: PostgresPrograms
  readonly flags: ReadonlyArray<string>
  readonly port: number
  readonly folder: string
  readonly data: string
  readonly #bin: string
  #guard: ChildProcess | undefined

  private constructor(programs: PostgresPrograms, flags: ReadonlyArray<string>, port: number) {
    const { folder, bin } = placeServer(programs.bin)
    this.programs = programs
    this.flags = flags
    this.port = port
    this.folder = folder
    this.data = join(folder, "data")
    this.#bin = bin
  }

  static async make(programs: PostgresPrograms, flags: ReadonlyArray<string> = []): Promise<PostgresServer> {
    return new PostgresServer(programs, flags, await freePort())
  }

  url(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** Makes the server's files. Rejects with the program's output. */
  async initialise(): Promise<void> {
    const flags = ["-D", this.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    await promisify(execFile)(join(this.#bin, "initdb"), flags, { ...serverUser(), cwd: this.folder })
  }

  /** Writes settings that survive a restart. */
  configure(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
    this.write("postgresql.auto.conf", `${lines.join("\n")}\n`)
  }

  write(name: string, text: string): void {
    const file = join(this.data, name)
    writeFileSync(file, text)
    giveToServer(file)
  }

  /**
   * Starts the server and waits until it serves. Rejects with its log. It has no Unix socket, because a socket's path
   * must be short.
   */
  async start(): Promise<void> {
    const server = [join(this.#bin, "postgres"), "-D", this.data, "-p", String(this.port), ...this.flags]
    const settings = ["max_connections=200", "listen_addresses=127.0.0.1", "unix_socket_directories="]
    const log = openSync(join(this.folder, "log"), "w")
    const child = spawn("sh", ["-c", guard, "sh", ...server, ...settings.flatMap((one) => ["-c", one])], {
      ...serverUser(),
      cwd: this.folder,
      env: { ...process.env, FOLDER: this.folder },
      stdio: ["pipe", log, log],
      detached: true,
    })
    closeSync(log)
    this.#guard = child
    child.stdin?.on("error", () => undefined)
    for (const began = performance.now(); !(await serves(this.url(), this.data)); await sleep(lookEveryMs)) {
      const said = readFileSync(join(this.folder, "log"), "utf8")
      const hasEnded = said.includes("FATAL") && !existsSync(this.#pidFile)
      if (hasEnded || performance.now() - began > startLimitMs) throw new Error(`Postgres did not start:\n${said}`)
    }
  }

  /** Kills all its processes, as a power cut would. The files stay. */
  async kill(): Promise<void> {
    const pid = this.#pid()
    // Suspends the server, so it starts no process while its children are listed.
    signal(pid, "SIGSTOP")
    for (const child of listChildren(pid)) signal(child, "SIGKILL")
    signal(pid, "SIGKILL")
    await this.#ended("\n")
  }

  /** Stops without waiting for clients (`pg_ctl stop -m fast`). */
  async stop(): Promise<void> {
    signal(this.#pid(), "SIGINT")
    // Waits for the server's end, because the guard would stop it without a shutdown.
    while (existsSync(this.#pidFile)) await sleep(lookEveryMs)
    await this.#ended("\n")
  }

  async remove(): Promise<void> {
    await this.#ended("")
    rmSync(this.folder, { recursive: true, force: true })
  }

  get #pidFile(): string {
    return join(this.data, "postmaster.pid")
  }

  #pid(): number {
    return Number(readFileSync(this.#pidFile, "utf8").split("\n")[0])
  }

  /** Ends the guard's input with this line, which can be empty, and waits until the guard has ended. */
  async #ended(line: string): Promise<void> {
    const child = this.#guard
    this.#guard = undefined
    if (child === undefined || child.exitCode !== null) return
    const exited = once(child, "exit")
    child.stdin?.end(line)
    await exited
  }
}
