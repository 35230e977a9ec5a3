import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort, type PostgresPrograms, serverUser } from "@pixcharge/test-postgres"
import pg from "pg"

/**
 * Runs the server below it, and ends it at the end of its input. That comes without a line once whoever started this is gone, by
 * SIGKILL too: then its files are deleted.
 */
const guard = `"$@" & server=$!
read _ || isLeft=1
kill -QUIT $server 2>/dev/null
wait $server
[ -z "$isLeft" ] || rm -rf "$FOLDER"`

const startLimitMs = 60_000
const lookEveryMs = 20

/** A process that has ended already needs no signal. */
const signal = (pid: number, name: "SIGSTOP" | "SIGKILL" | "SIGINT"): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

const childrenOf = (pid: number): ReadonlyArray<number> =>
  spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .stdout.split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)

/** Whether it takes a session: one that recovers accepts connections, and ends them. */
const serves = async (url: string): Promise<boolean> => {
  const session = new pg.Client({ connectionString: url })
  session.on("error", () => undefined)
  try {
    await session.connect()
    await session.end()
    return true
  } catch {
    return false
  }
}

/** A server that tests start, kill, copy and start again. Its user is `postgres`, without a password. */
export class PostgresServer {
  readonly programs: PostgresPrograms
  readonly port: number
  readonly folder: string
  readonly data: string
  #guard: ChildProcess | undefined

  private constructor(programs: PostgresPrograms, port: number) {
    this.programs = programs
    this.port = port
    this.folder = mkdtempSync(join(tmpdir(), "pixcharge-server-"))
    this.data = join(this.folder, "data")
    const user = serverUser()
    if (user !== undefined) chownSync(this.folder, user.uid, user.gid)
  }

  /** With an empty folder for its data. */
  static async make(programs: PostgresPrograms): Promise<PostgresServer> {
    return new PostgresServer(programs, await freePort())
  }

  /** The address of a database, as a superuser. */
  url(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** Runs a program as the server's user; throws with what it said if it failed. */
  run(program: string, args: ReadonlyArray<string>): void {
    const { status, stderr } = spawnSync(program, args, { ...serverUser(), encoding: "utf8" })
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  }

  /** Makes an empty database cluster. */
  initialise(): void {
    const flags = ["-D", this.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    this.run(join(this.programs.bin, "initdb"), flags)
  }

  /** Writes the settings that this server alone has, and which survive its restart. */
  configure(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
    this.write("postgresql.auto.conf", `${lines.join("\n")}\n`)
  }

  /** Writes a file of its data folder. */
  write(name: string, text: string): void {
    const file = join(this.data, name)
    writeFileSync(file, text)
    const user = serverUser()
    if (user !== undefined) chownSync(file, user.uid, user.gid)
  }

  /** Starts it, and waits until it serves. Nothing depends on what a power cut would leave. */
  async start(): Promise<void> {
    const server = [join(this.programs.bin, "postgres"), "-D", this.data, "-p", String(this.port), "-k", this.folder]
    const flags = ["-c", "fsync=off", "-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"]
    const child = spawn("sh", ["-c", guard, "sh", ...server, ...flags], {
      ...serverUser(),
      env: { ...process.env, FOLDER: this.folder },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    })
    this.#guard = child
    child.stdin?.on("error", () => undefined)
    for (const began = performance.now(); !(await serves(this.url())); await sleep(lookEveryMs)) {
      if (performance.now() - began > startLimitMs) throw new Error("Postgres did not start")
    }
  }

  /** Kills it with all its processes, as a power cut would end them; what it has written to its files stays. */
  async kill(): Promise<void> {
    const pid = this.#pid()
    // So that it starts no process while the others are looked for.
    signal(pid, "SIGSTOP")
    for (const child of childrenOf(pid)) signal(child, "SIGKILL")
    signal(pid, "SIGKILL")
    await this.#ended()
  }

  /** Ends it as an administrator does who doesn't wait for its clients (`pg_ctl stop -m fast`). */
  async stop(): Promise<void> {
    signal(this.#pid(), "SIGINT")
    await this.#ended()
  }

  /** Ends it and deletes its files. */
  async remove(): Promise<void> {
    if (this.#guard !== undefined) await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #pid(): number {
    return Number(readFileSync(join(this.data, "postmaster.pid"), "utf8").split("\n")[0])
  }

  async #ended(): Promise<void> {
    const child = this.#guard
    this.#guard = undefined
    if (child === undefined || child.exitCode !== null) return
    const exited = once(child, "exit")
    child.stdin?.end("\n")
    await exited
  }
}
