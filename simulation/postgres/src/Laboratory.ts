import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { join } from "node:path"
import { migrate } from "@pixcharge/store-postgres"
import pg from "pg"
import { slowCommits } from "./slowCommits.ts"

const root = join(import.meta.dirname, "../../..")
const template = "simulated"
const spareHosts = 3

/** The process's answer to being asked, or its end. */
const asked = async (child: ChildProcess, command: string): Promise<void> => {
  const answer = once(child, "message")
  child.send(command)
  const [{ log }] = (await answer) as [{ readonly log: string }]
  if (log !== "") throw new Error(`Postgres did not ${command}:\n${log}`)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** What histories need, and share: a Postgres with a migrated database, and processes that wait to be hosts. */
export class Laboratory {
  readonly port: number
  readonly #server: ChildProcess
  readonly #maintenance: pg.Client
  readonly #spares: Array<ChildProcess> = []
  #databases = 0

  private constructor(port: number, server: ChildProcess, maintenance: pg.Client) {
    this.port = port
    this.#server = server
    this.#maintenance = maintenance
  }

  /** Starts a Postgres of its own, below a process that ends it when this one ends. */
  static async open(): Promise<Laboratory> {
    const port = await freePort()
    // Nothing depends on what a power cut would leave.
    const flags = [String(port), "-c", "fsync=off"]
    const script = join(root, "packages/store-postgres/test/postgresServer.mjs")
    const server = fork(script, flags, { detached: true, execArgv: [], stdio: "ignore" })
    await asked(server, "initialise")
    await asked(server, "start")
    const maintenance = new pg.Client({ connectionString: address(port, "postgres") })
    await maintenance.connect()
    await maintenance.query(`CREATE DATABASE ${template}`)
    const migrating = new pg.Pool({ connectionString: address(port, template) })
    await migrate(migrating)
    await migrating.query(slowCommits)
    await migrating.end()
    const laboratory = new Laboratory(port, server, maintenance)
    laboratory.#fork()
    return laboratory
  }

  #fork(): void {
    while (this.#spares.length < spareHosts) {
      const child = fork(join(root, "simulation/postgres/dist/host.js"), {
        execArgv: [],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      })
      // One that is suspended would not see that this process is gone.
      const kill = () => void child.kill("SIGKILL")
      process.once("exit", kill)
      child.once("exit", () => process.off("exit", kill))
      this.#spares.push(child)
    }
  }

  /** A process that loads, or has loaded, a host's code. */
  takeHost(): ChildProcess {
    const child = this.#spares.shift()
    this.#fork()
    if (child === undefined) throw new Error("there is no spare host")
    return child
  }

  /** An empty database with the store's tables; its name. */
  async makeDatabase(): Promise<string> {
    const name = `history_${++this.#databases}`
    await this.#maintenance.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    return name
  }

  async dropDatabase(name: string): Promise<void> {
    await this.#maintenance.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }

  async close(): Promise<void> {
    for (const child of this.#spares) child.kill("SIGKILL")
    await this.#maintenance.end()
    const ended = once(this.#server, "exit")
    this.#server.disconnect()
    await ended
  }
}

/** The address of a database behind this port, of the server or a proxy. */
export const address = (port: number, database: string): string =>
  `postgres://postgres:postgres@127.0.0.1:${port}/${database}`
