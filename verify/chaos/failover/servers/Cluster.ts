import { type PostgresPrograms, PostgresServer } from "../../../world/index.ts"
import { setTimeout as sleep } from "node:timers/promises"
import { administer } from "./administer.ts"
import { startStandby } from "./startStandby.ts"

const limitMs = 60_000

/** Waits until a query answers with a row. */
const awaitRow = async (server: PostgresServer, query: string): Promise<void> => {
  for (const began = performance.now(); (await administer(server, query)).length === 0; await sleep(10)) {
    if (performance.now() - began > limitMs) throw new Error(`never true: ${query}`)
  }
}

/** A primary and a standby that follows it. */
export class Cluster {
  primary: PostgresServer
  standby: PostgresServer
  readonly #all: Array<PostgresServer>

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.primary = primary
    this.standby = standby
    this.#all = [primary, standby]
  }

  /** The standby follows by this way, or by none but the primary's own port. */
  static async start(programs: PostgresPrograms, way?: (port: number) => Promise<number>): Promise<Cluster> {
    // Nothing depends on what a power cut would leave.
    const primary = await PostgresServer.make(programs, ["-c", "fsync=off"])
    await primary.initialise()
    await primary.start()
    const standby = await startStandby(primary, await way?.(primary.port))
    const cluster = new Cluster(primary, standby)
    await awaitRow(primary, "SELECT FROM pg_stat_replication WHERE state = 'streaming'")
    return cluster
  }

  /** Has commits of the primary wait for the standby from now on. */
  async waitForStandby(): Promise<void> {
    await administer(this.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await administer(this.primary, "SELECT pg_reload_conf()")
    await awaitRow(this.primary, "SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'")
  }

  /** The standby becomes the primary, and waits for no standby until it has one. Its former primary is answered with. */
  async promote(): Promise<PostgresServer> {
    const former = this.primary
    await administer(this.standby, "SELECT pg_promote(true)")
    this.primary = this.standby
    return former
  }

  /** A new standby of the primary. */
  async renewStandby(): Promise<void> {
    this.standby = await startStandby(this.primary)
    this.#all.push(this.standby)
    await this.waitForStandby()
  }

  async remove(): Promise<void> {
    for (const server of this.#all) await server.remove()
  }
}
