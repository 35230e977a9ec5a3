import type { EventRejection, ReceivedEvent } from "@pixcharge/callback-fetch/receiver"
import { startSimulatedBank } from "@pixcharge/simulated-bank"
import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { companies } from "../world/companies.ts"
import { EventReceiver } from "../world/EventReceiver.ts"
import { Integrator } from "../world/Integrator.ts"
import { makeCertificates } from "../world/makeCertificates.ts"
import { writtenLog } from "./churn/tables.ts"
import type { HostOrders } from "./life/host.ts"
import { liveThrough, type Count, type StepName, type World } from "./life/liveThrough.ts"
import { openStore } from "./openStore.ts"
import { cpuNsOf, cpuNsOfThreads } from "./processes/ServerCpu.ts"
import { quantile } from "../world/quantile.ts"
import { Worker } from "../world/Worker.ts"
import { markdownTable } from "../world/markdownTable.ts"
import { startPostgres } from "./startPostgres.ts"

const lives = 2
/** Of each life; `LIFE=100` makes a quicker variant. */
const count = Number(process.env["LIFE"] ?? 1_000)

// No page is logged whole, for each is new since the one checkpoint: what is counted is the same in every run.
const flags = ["-c", "max_wal_size=4GB", "-c", "checkpoint_timeout=30min", "-c", "shared_buffers=1GB"]

/** Bytes of the tables, with their indexes, packed as densely as they can be. */
const kept = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query(
    "SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'pixcharge'::regnamespace AND relkind = 'r'",
  )
  const names = rows.map(({ name }: { name: string }) => name)
  await pool.query(`VACUUM (FULL, ANALYZE) ${names.join(", ")}`)
  const sizes = await pool.query(
    "SELECT sum(pg_total_relation_size(name::regclass)) AS bytes FROM unnest($1::text[]) name",
    [names],
  )
  return Number(sizes.rows[0].bytes)
}

/** Microseconds of processor that the sessions of this database have used; on Linux alone. */
const sessionsCpu = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
  )
  return rows.reduce((sum: number, { pid }: { pid: number }) => sum + cpuNsOf(pid) / 1e3, 0)
}

/** What a step took in each life, for each charge. */
interface Spent {
  readonly "log, bytes": Array<number>
  readonly "sessions, µs": Array<number>
  readonly "host, µs": Array<number>
  readonly "kept, bytes": Array<number>
}

const newSpent = (): Spent => ({ "log, bytes": [], "sessions, µs": [], "host, µs": [], "kept, bytes": [] })

/** The median, and the lowest and highest. */
const range = (values: ReadonlyArray<number>): string => {
  const [median, lowest, highest] = [0.5, 0, 1].map((share) => Math.round(quantile(values, share)))
  return `${median} (${lowest} to ${highest})`
}

const countSteps = async ({ host, opened: { pool } }: World, spent: Map<StepName, Spent>): Promise<Count> => {
  let keptBefore = await kept(pool)
  const read = async () => [await writtenLog(pool), await sessionsCpu(pool), cpuNsOfThreads(host.pid) / 1_000] as const
  return async (name, { run, done }) => {
    const running = run()
    // By then connections are open: what is counted is a step on those that are kept.
    while (done !== undefined && done() < count / 5) await Promise.race([running, pause(10)])
    const [uncounted, before] = [done?.() ?? 0, await read()]
    await running
    const after = await read()
    const sums = spent.get(name) ?? newSpent()
    spent.set(name, sums)
    const [log, sessions, cpu] = after.map((value, at) => (value - (before[at] ?? 0)) / (count - uncounted)) as [
      number,
      number,
      number,
    ]
    sums["log, bytes"].push(log)
    sums["sessions, µs"].push(sessions)
    sums["host, µs"].push(cpu)
    const keptAfter = await kept(pool)
    sums["kept, bytes"].push((keptAfter - keptBefore) / count)
    keptBefore = keptAfter
    const each = Object.entries(sums).map(([what, values]) => `${Math.round(values.at(-1) ?? Number.NaN)} ${what}`)
    console.error(`  ${name}: ${each.join("; ")}`)
  }
}

/** Runs a host, its bank, and a receiver of events, each over TLS; hands them on, and ends them. */
const withWorld = async <A>(use: (world: World) => Promise<A>): Promise<A> => {
  const server = await startPostgres(flags)
  const certificates = await makeCertificates()
  const { server: tls, ca } = certificates
  const bank = await startSimulatedBank({
    accounts: companies.map((one) => ({ ...one, pixKeys: [one.pixKey] })),
    tls: { ...tls, ca },
    // Notices are sent by whoever pays, which waits for the answer.
    ways: { noticeCopies: 0 },
  })
  const received = new Set<string>()
  const take = (event: ReceivedEvent | EventRejection) => {
    if (typeof event === "string") return 401
    received.add(event.id)
    return 200
  }
  const receiver = await EventReceiver.start(take, tls)
  const host = new Worker<HostOrders>(`${import.meta.dirname}/life/host.js`)
  try {
    const databaseUrl = await server.database("life")
    const setting = { databaseUrl, bankUrl: bank.baseUrl, receiverUrl: receiver.origin, certificates }
    const baseUrl = await host.ask("start", setting)
    const opened = await openStore(databaseUrl)
    const integrators = companies.map((one) => new Integrator(baseUrl, one))
    const used = await use({ host, bank, received, opened, integrators })
    await opened.close()
    return used
  } finally {
    await host.end()
    receiver.close()
    await bank.close()
    await server.stop()
  }
}

/** What each step of a charge's life costs: bytes of log, processor time of the sessions and of the host, and bytes that stay. */
export const lifeBench = (): Promise<string> =>
  withWorld(async (world) => {
    // V8 has compiled most of what is used by then.
    await liveThrough(world, Math.ceil(count / 2), async (_, { run }) => void (await run()))
    await world.opened.pool.query("CHECKPOINT")
    const spent = new Map<StepName, Spent>()
    for (let life = 0; life < lives; life++) await liveThrough(world, count, await countSteps(world, spent))
    const rows = [...spent].map(([name, each]) => [name, ...Object.values(each).map(range)])
    return markdownTable(["Step", ...Object.keys(newSpent())], rows)
  })
