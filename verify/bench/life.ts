import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { close, open } from "./churn/opened.ts"
import { backendCpu, writtenLog } from "./churn/tables.ts"
import { companies } from "./life/companies.ts"
import { Integrator } from "./life/Integrator.ts"
import { liveThrough, type Count, type StepName, type World } from "./life/liveThrough.ts"
import { startHost } from "./life/startHost.ts"
import { startOutside } from "./life/startOutside.ts"
import { quantile } from "../world/quantile.ts"
import { markdownTable } from "./report.ts"
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
  const read = async () => [await writtenLog(pool), (await backendCpu(pool)) * 1_000, host.cpu()] as const
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

/**
 * What each step of a charge's life costs: bytes of log, processor time of the sessions and of the host, and bytes that stay.
 * The host is a process of its own with a bank over mutual TLS, Postgres, and a receiver of signed events over TLS.
 */
export const lifeBench = async (): Promise<string> => {
  const server = await startPostgres(flags)
  const outside = await startOutside()
  try {
    const databaseUrl = await server.database("life")
    const { receiverUrl, bank } = outside
    const host = await startHost({ databaseUrl, receiverUrl, bankUrl: bank.baseUrl })
    const opened = await open(databaseUrl)
    const integrators = await Promise.all(companies.map((one) => Integrator.authenticate(host.baseUrl, one)))
    const world: World = { host, outside, opened, integrators }
    // V8 has compiled most of what is used by then.
    await liveThrough(world, Math.ceil(count / 2), async (_, { run }) => void (await run()))
    await opened.pool.query("CHECKPOINT")
    const spent = new Map<StepName, Spent>()
    for (let life = 0; life < lives; life++) await liveThrough(world, count, await countSteps(world, spent))
    const rows = [...spent].map(([name, each]) => [name, ...Object.values(each).map(range)])
    await host.stop()
    await close(opened)
    return markdownTable(["Step", ...Object.keys(newSpent())], rows)
  } finally {
    await outside.close()
    await server.stop()
  }
}
