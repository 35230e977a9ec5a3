import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { type PostgresPrograms, PostgresServer, TcpProxy } from "../../world/index.ts"
import type { Database, Surroundings } from "./Database.ts"
import { placesOn, serverFlags } from "./openServer.ts"
import { startStandby } from "./startStandby.ts"

const limitMs = 60_000
const callsThatFail = 20

/** Runs a statement whose commit doesn't wait for a standby. */
export const administer = async (server: PostgresServer, statement: string): Promise<ReadonlyArray<unknown>> => {
  const session = new pg.Client({ connectionString: server.url(), options: "-c synchronous_commit=local" })
  await session.connect()
  try {
    return (await session.query(statement)).rows as ReadonlyArray<unknown>
  } finally {
    await session.end()
  }
}

const awaitRow = async (server: PostgresServer, query: string): Promise<void> => {
  for (const began = performance.now(); (await administer(server, query)).length === 0; await sleep(10)) {
    if (performance.now() - began > limitMs) throw new Error(`no row within ${limitMs} ms: ${query}`)
  }
}

const streams = "SELECT FROM pg_stat_replication WHERE state = 'streaming'"

const follow = async (primary: PostgresServer, { port }: TcpProxy): Promise<PostgresServer> => {
  const standby = await startStandby(primary, port)
  await awaitRow(primary, streams)
  return standby
}

export class StandbyPair implements Database {
  readonly store = "postgres"
  readonly schema = "pixcharge"
  readonly targets
  link: TcpProxy
  primary: PostgresServer
  standby: PostgresServer
  readonly #isSynchronous: boolean
  readonly #all: Array<PostgresServer>

  private constructor(primary: PostgresServer, standby: PostgresServer, link: TcpProxy, isSynchronous: boolean) {
    this.primary = primary
    this.standby = standby
    this.link = link
    this.targets = [{ port: primary.port }]
    this.#isSynchronous = isSynchronous
    this.#all = [primary, standby]
  }

  static async open(programs: PostgresPrograms, isSynchronous: boolean): Promise<StandbyPair> {
    const primary = await PostgresServer.make(programs, serverFlags)
    await primary.initialise()
    await primary.start()
    const link = await TcpProxy.start(primary.port)
    return new StandbyPair(primary, await follow(primary, link), link, isSynchronous)
  }

  /** Makes the primary's commits wait for the standby. */
  readonly prepare = async (): Promise<void> => {
    if (!this.#isSynchronous) return
    await administer(this.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await administer(this.primary, "SELECT pg_reload_conf()")
    await awaitRow(this.primary, `${streams} AND sync_state = 'sync'`)
  }

  readonly faults = {
    /** Kills the primary. The standby becomes the primary and gets a new standby. */
    failover: async ({ hosts, waitForFailed: failed }: Surroundings): Promise<void> => {
      await this.primary.kill()
      await failed(callsThatFail)
      await this.promote()
      hosts.pointTo(this.primary.port)
      await this.renewStandby()
    },
    /** Like `failover`, but the standby hasn't received the last commits. */
    laggingFailover: async (around: Surroundings): Promise<void> => {
      this.link.silence()
      await sleep(1_000)
      await this.faults.failover(around)
    },
  }

  /** Promotes the standby and returns the former primary. */
  async promote(): Promise<PostgresServer> {
    const former = this.primary
    await administer(this.standby, "SELECT pg_promote(true)")
    this.primary = this.standby
    return former
  }

  async renewStandby(): Promise<void> {
    this.link.close()
    this.link = await TcpProxy.start(this.primary.port)
    this.standby = await follow(this.primary, this.link)
    this.#all.push(this.standby)
    await this.prepare()
  }

  readonly places = async () => placesOn(this.primary.url())

  readonly close = async (): Promise<void> => {
    this.link.close()
    for (const server of this.#all) await server.remove()
  }
}
