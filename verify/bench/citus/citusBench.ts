import type { StorePorts } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-citus"
import type * as Layer from "effect/Layer"
import pg from "pg"
import { alternate } from "../alternate.ts"
import { companyCnpj } from "../companyCnpj.ts"
import { sessionsCpu } from "../costs.ts"
import { median } from "../../world/quantile.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { type Call, calls, openContender, type Turn } from "./Contender.ts"

const rounds = 7
const warmUp = 2
const shards = 12
const companies = 20

interface Node {
  readonly host: string
  readonly port: number
  readonly url: string
  /** The CPU time of the node's sessions in nanoseconds, including sessions that other nodes opened. */
  readonly cpuNs: () => number
}

const openNodes = async (coordinator: pg.Pool, clusterUrl: string): Promise<ReadonlyArray<Node>> => {
  const { rows } = await coordinator.query<{ readonly host: string; readonly port: number }>(
    "SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
  )
  return Promise.all(
    rows.map(async ({ host, port }) => {
      const address = new URL(clusterUrl)
      address.host = `${host}:${port}`
      const client = new pg.Client({ connectionString: address.href })
      await client.connect()
      const cpuNs = await sessionsCpu(client)
      await client.end()
      return { host, port, url: address.href, cpuNs }
    }),
  )
}

/** Nanoseconds of CPU time. */
interface Cost {
  readonly coordinator: number
  readonly workers: number
}

interface Entrant {
  readonly title: string
  readonly turn: Turn
  readonly workers: ReadonlyArray<Node>
}

const companiesAt = async (coordinator: pg.Pool, schema: string, ports: ReadonlyArray<number>) => {
  const found: Array<Cnpj> = []
  for (let index = 1; found.length < companies; index++) {
    const cnpj = companyCnpj(index)
    const { rows } = await coordinator.query(
      `SELECT nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
       WHERE shardid = get_shard_id_for_distribution_column($1::regclass, $2::text)`,
      [`${schema}.charges`, cnpj],
    )
    if (ports.includes(rows[0].nodeport)) found.push(cnpj)
  }
  return found
}

const schemaOver = (count: number): string => `bench_over_${count}`

const distributeOver = async (coordinator: pg.Pool, workers: ReadonlyArray<Node>, count: number): Promise<string> => {
  const schema = schemaOver(count)
  const allow = (isAllowed: (index: number) => boolean) =>
    Promise.all(
      workers.map(({ host, port }, index) => {
        const values = [host, port, isAllowed(index)]
        return coordinator.query("SELECT citus_set_node_property($1, $2, 'shouldhaveshards', $3)", values)
      }),
    )
  await coordinator.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await migrate(coordinator, { schema })
  try {
    await allow((index) => index < count)
    await distribute(coordinator, { schema, shards })
  } finally {
    await allow(() => true)
  }
  return schema
}

const cell = (costs: ReadonlyArray<Cost>): string =>
  (["coordinator", "workers"] as const)
    .map((of) => median(costs.map((cost) => cost[of])))
    .filter((nanoseconds, index) => index === 0 || nanoseconds > 0)
    .map((nanoseconds) => (nanoseconds / 1e6).toFixed(2))
    .join(" + ")

/**
 * Measures the CPU time per call in milliseconds: first of the coordinator's sessions and, after the plus, of all
 * workers' sessions. The store runs on one worker and on all workers, through the coordinator and through the worker
 * with the shards. It is compared with a database without Citus on the coordinator's server. All stores take turns.
 * `CITUS_URL` names the coordinator, which must be on this machine. No ratio is promised.
 */
export const citusBench = async (): Promise<string> => {
  const url = process.env["CITUS_URL"]
  if (url === undefined) throw new Error("set CITUS_URL to the coordinator of a Citus cluster on this machine")
  const coordinator = new pg.Pool({ connectionString: url, max: 1 })
  const [first, ...workers] = (await openNodes(coordinator, url)) as [Node, ...Array<Node>]
  const opened: Array<{ readonly close: () => Promise<void> }> = []
  const entrants: Array<Entrant> = []

  const enter = async (
    title: string,
    at: string,
    used: ReadonlyArray<Node>,
    issuers: ReadonlyArray<Cnpj>,
    layer: (db: pg.Pool) => Layer.Layer<StorePorts, unknown>,
  ): Promise<void> => {
    const contender = await openContender(at, issuers, layer)
    opened.push(contender)
    entrants.push({ title, turn: contender.turn, workers: used })
  }

  const enterCluster = async (count: number): Promise<void> => {
    const schema = await distributeOver(coordinator, workers, count)
    const used = workers.slice(0, count)
    const [owner] = used as [Node]
    const on = count === 1 ? "1 worker" : `${count} workers`
    const layer = (db: pg.Pool) => citusStore({ db, schema, migrations: "check" })
    const ports = used.map(({ port }) => port)
    await enter(`${on}, by the coordinator`, first.url, used, await companiesAt(coordinator, schema, ports), layer)
    await enter(`${on}, by the owner`, owner.url, used, await companiesAt(coordinator, schema, [owner.port]), layer)
  }

  const takeTurn = async ({ turn, workers: used }: Entrant): Promise<Partial<Record<Call, Cost>>> => {
    const costs: Partial<Record<Call, Cost>> = {}
    const read = () => [first.cpuNs(), used.reduce((sum, { cpuNs }) => sum + cpuNs(), 0)] as const
    await turn(async (call, times, work) => {
      const before = read()
      await work()
      const after = read()
      costs[call] = { coordinator: (after[0] - before[0]) / times, workers: (after[1] - before[1]) / times }
    })
    return costs
  }

  const plain = new URL(url)
  plain.pathname = "/pixcharge_bench"
  await coordinator.query("DROP DATABASE IF EXISTS pixcharge_bench WITH (FORCE)")
  await coordinator.query("CREATE DATABASE pixcharge_bench")
  try {
    const some = Array.from({ length: companies }, (_, index) => companyCnpj(index + 1))
    await enter("Postgres without Citus", plain.href, [], some, (db) => postgresStore({ db }))
    await enterCluster(1)
    if (workers.length > 1) await enterCluster(workers.length)
    const turns = await alternate(entrants, { rounds, warmUp }, takeTurn)
    const { rows } = await coordinator.query("SELECT citus_version() AS citus, current_setting('server_version') AS pg")
    const table = markdownTable(
      ["Call", ...entrants.map(({ title }) => title)],
      calls.map((call) => [call, ...turns.map((costs) => cell(costs.flatMap((cost) => cost[call] ?? [])))]),
    )
    return `${rows[0].citus}; Postgres ${rows[0].pg}; ${shards} shards, ${rounds} turns each\n\n${table}`
  } finally {
    for (const one of opened) await one.close()
    await coordinator.query("DROP DATABASE pixcharge_bench WITH (FORCE)")
    for (const count of [1, workers.length])
      await coordinator.query(`DROP SCHEMA IF EXISTS ${schemaOver(count)} CASCADE`)
    await coordinator.end()
  }
}
