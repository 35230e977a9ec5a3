import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { migrate } from "@pixcharge/store-postgres"
import { type RealServer, startPostgres } from "../../world/index.ts"
import pg from "pg"
import { slowCommits } from "./slowCommits.ts"
import { root } from "../../world/root.ts"

const template = "simulated"
const spareHosts = 3

/** What histories need, and share: a Postgres with a migrated database, and processes that wait to be hosts. */
export class Laboratory {
  readonly #server: RealServer
  readonly #maintenance: pg.Client
  readonly #spares: Array<ChildProcess> = []
  #databases = 0

  private constructor(server: RealServer) {
    this.#server = server
    this.#maintenance = new pg.Client({ connectionString: address(server.port, "postgres") })
    // The server may end first.
    this.#maintenance.on("error", () => undefined)
  }

  /** Starts a Postgres of its own, below a process that ends it when this one ends. */
  static async open(): Promise<Laboratory> {
    // Nothing depends on what a power cut would leave.
    const laboratory = new Laboratory(await startPostgres(["-c", "fsync=off"]))
    try {
      await laboratory.#migrate()
    } catch (cause) {
      await laboratory.close()
      throw cause
    }
    laboratory.#fork()
    return laboratory
  }

  get port(): number {
    return this.#server.port
  }

  async #migrate(): Promise<void> {
    await this.#maintenance.connect()
    await this.#maintenance.query(`CREATE DATABASE ${template}`)
    const migrating = new pg.Pool({ connectionString: address(this.port, template) })
    await migrate(migrating)
    await migrating.query(slowCommits)
    await migrating.end()
  }

  #fork(): void {
    while (this.#spares.length < spareHosts) {
      const child = fork(join(root, "verify/dist/chaos/postgres/host.js"), {
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
    await this.#server.remove()
  }
}

/** The address of a database behind this port, of the server or a proxy. */
export const address = (port: number, database: string): string =>
  `postgres://postgres:postgres@127.0.0.1:${port}/${database}`
