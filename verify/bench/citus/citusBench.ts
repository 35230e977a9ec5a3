import type { StorePorts } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-citus"
import type * as Layer from "effect/Layer"
import pg from "pg"
import { companyCnpj } from "../companyCnpj.ts"
import { median } from "../../world/quantile.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { type Call, calls, openContender, type Turn } from "./Contender.ts"
import { type Node, openNodes } from "./Node.ts"

const rounds = 7
const warmUpRounds = 2
const shards = 12
const companies = 20

interface Cost {
  readonly coordinator: number
  readonly workers: number
}

/** A measured store, with its CPU time per call in nanoseconds. */
interface Entrant {
  readonly title: string
  readonly turn: Turn
  readonly workers: ReadonlyArray<Node>
  readonly costs: Readonly<Record<Call, Array<Cost>>>
}

const sumCpuNs = (nodes: ReadonlyArray<Node>): number => nodes.reduce((sum, { cpuNs }) => sum + cpuNs(), 0)

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

const distributeOver = async (coordinator: pg.Pool, workers: ReadonlyArray<Node>, count: number): Promise<string> => {
  const schema = `bench_${count}_of_${workers.length}`
  const allow = (isAllowed: (index: number) => boolean) =>
    Promise.all(
      workers.map(({ host, port }, index) =>
        coordinator.query("SELECT citus_set_node_property($1, $2, 'shouldhaveshards', $3)", [
          host,
          port,
          isAllowed(index),
        ]),
      ),
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

const takeTurn = (first: Node, { turn, workers: used, costs }: Entrant, isWarmUp: boolean): Promise<void> =>
  turn(async (call, times, work) => {
    const before = [first.cpuNs(), sumCpuNs(used)] as const
    await work()
    const cost = { coordinator: (first.cpuNs() - before[0]) / times, workers: (sumCpuNs(used) - before[1]) / times }
    if (!isWarmUp) costs[call].push(cost)
  })

const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(2)

const cell = (costs: ReadonlyArray<Cost>): string => {
  const coordinator = median(costs.map((cost) => cost.coordinator))
  const workers = median(costs.map((cost) => cost.workers))
  return workers === 0 ? ms(coordinator) : `${ms(coordinator)} + ${ms(workers)}`
}

const table = (entrants: ReadonlyArray<Entrant>): string =>
  markdownTable(
    ["Call", ...entrants.map(({ title }) => title)],
    calls.map((call) => [call, ...entrants.map(({ costs }) => cell(costs[call]))]),
  )

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
  const nodes = await openNodes(coordinator, url)
  const [first, ...workers] = nodes as [Node, ...Array<Node>]
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
    const costs = Object.fromEntries(calls.map((call) => [call, []])) as unknown as Entrant["costs"]
    entrants.push({ title, turn: contender.turn, workers: used, costs })
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

  const plain = new URL(url)
  plain.pathname = "/pixcharge_bench"
  await coordinator.query("DROP DATABASE IF EXISTS pixcharge_bench WITH (FORCE)")
  await coordinator.query("CREATE DATABASE pixcharge_bench")
  try {
    const some = Array.from({ length: companies }, (_, index) => companyCnpj(index + 1))
    await enter("Postgres without Citus", plain.href, [], some, (db) => postgresStore({ db }))
    await enterCluster(1)
    if (workers.length > 1) await enterCluster(workers.length)
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (let turn = 0; turn < entrants.length; turn++) {
        await takeTurn(first, entrants[(turn + round + warmUpRounds) % entrants.length] as Entrant, round < 0)
      }
    }
    const { rows } = await coordinator.query("SELECT citus_version() AS citus, current_setting('server_version') AS pg")
    const versions = `${rows[0].citus}; Postgres ${rows[0].pg}; ${shards} shards, ${rounds} turns each`
    return `${versions}\n\n${table(entrants)}`
  } finally {
    for (const one of opened) await one.close()
    await coordinator.query("DROP DATABASE pixcharge_bench WITH (FORCE)")
    for (const count of [1, workers.length]) {
      await coordinator.query(`DROP SCHEMA IF EXISTS bench_${count}_of_${workers.length} CASCADE`)
    }
    await coordinator.end()
  }
}
