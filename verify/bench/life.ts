import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { randomUUID } from "node:crypto"
import { markdownTable } from "../world/markdownTable.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { live, drawPaidAfterMs, paidSoon } from "./life/live.ts"
import { type Figures, Meter, nothing, plus, type Step } from "./life/Meter.ts"
import { withWorld, type World } from "./life/World.ts"
import { startPostgres } from "./startPostgres.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const chargesADay = 24_000
const manyProcesses = 10
const stepMs = 5_000
/**
 * The hours of warm-up. The first watches end in it, the measured hours with one process, and those with ten
 * processes. `LIFE=3,1,1` makes a quicker run.
 */
const [warmUp = 0, alone = 0, together = 0] = (process.env["LIFE"] ?? "27,8,2").split(",").map(Number)
/** The days with counted calls to the bank: charges a day, hours of warm-up, and measured hours. */
const callDays = [
  [24, 3, 24],
  [240, 3, 12],
  [2_400, 3, 4],
  [24_000, 3, 1],
] as const

// No whole pages are logged, so the counts don't depend on checkpoints. Tables are vacuumed as often as on a real day.
const flags = [
  "full_page_writes=off",
  "max_wal_size=4GB",
  "shared_buffers=1GB",
  "max_connections=300",
  "autovacuum_naptime=1s",
  "autovacuum_vacuum_cost_delay=0",
]

const tellKept = async ({ issued, pool }: World): Promise<string> => {
  await pool.query("VACUUM FULL")
  const { rows } = await pool.query(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes, pg_total_relation_size('pixcharge.charges')::float8 AS charges
    FROM pg_class WHERE relnamespace = 'pixcharge'::regnamespace AND relkind = 'r'`,
  )
  const [bytes, ofCharges] = [rows[0].bytes, rows[0].charges].map((all) => Math.round(all / issued))
  return `${bytes} bytes of a charge stay, ${ofCharges} of them in \`charges\`.`
}

type Row = readonly [name: string, times: number, spent: Figures]

const measure = async (world: World, processes: number, hours: number): Promise<ReadonlyArray<Row>> => {
  await world.pool.query("VACUUM ANALYZE")
  // Closes the sessions that planned statements with the statistics of small tables. They would plan each statement
  // every time.
  await world.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pixcharge-host'",
  )
  const meter = new Meter(world)
  const count = meter.count.bind(meter)
  const before = world.issued
  await live(world, { chargesADay, paidAfterMs: drawPaidAfterMs, hours, stepMs, processes, count })
  const charges = world.issued - before
  const [lookOut, readAgain, idle] = [meter.figuresFor("look out"), meter.readAgain, meter.figuresFor("idle")]
  const row = (name: string, { times, spent }: Step, of = charges): Row => [
    name,
    times / of,
    plus(nothing, spent, 1 / of),
  ]
  const rows = [
    ...["issue", "status", "pay", "deliver"].map((name) => row(name, meter.figuresFor(name))),
    row("listed", { ...lookOut, times: lookOut.spent[3], spent: plus(lookOut.spent, readAgain.spent, -1) }),
    row("read again", readAgain),
  ]
  const all: Row = ["together", 1, rows.reduce((sum, [, , spent]) => plus(sum, spent), nothing)]
  const looksADay = (processes * dayMs) / stepMs
  const idleSpent = plus(nothing, idle.spent, looksADay / idle.looks / chargesADay)
  await meter.close()
  return [...rows, all, ["looks at nothing", looksADay / chargesADay, idleSpent]]
}

/** Counts the calls to the bank for a hundred paid charges. */
const countCalls = async (world: World, [aDay, warmUpHours, hours]: readonly [number, number, number]) => {
  const meter = new Meter(world)
  const living = { chargesADay: aDay, paidAfterMs: paidSoon, processes: 1, stepMs: 15_000 }
  await live(world, { ...living, hours: warmUpHours })
  const before = world.issued
  await live(world, { ...living, hours, count: meter.count.bind(meter) })
  const calls = ["issue", "pay", "look out"].map(
    (step) => (meter.figuresFor(step).spent[3] * 100) / (world.issued - before),
  )
  await meter.close()
  return [aDay, ...calls, calls.reduce((sum, one) => sum + one)].map((value) => value.toFixed(0))
}

/**
 * Counts the row versions that are written for a charge that is due in two days and never paid, and for its company's
 * sweeps.
 */
const countWrites = async (world: World): Promise<string> => {
  const { host, integrators, now, pool } = world
  const dueDate = addDays(brasiliaDate(now), 2)
  await integrators()[0]?.issue(randomUUID(), 1990, dueDate)
  const stepAt = (ageMs: number) => Math.round(Math.max(45_000, Math.min(ageMs / 20, 300_000)))
  for (let ageMs = 0; ageMs < 12 * dayMs; ageMs += stepAt(ageMs)) {
    world.now = now + ageMs
    await host.ask("tick", world.now, 0, 1)
  }
  const { rows } = await pool.query(
    `SELECT relname, (n_tup_ins + n_tup_upd)::int AS written, watch.days FROM pg_stat_user_tables,
      (SELECT round(extract(epoch FROM max(watch_until - created_at)) / 86400, 1) AS days FROM pixcharge.charges) watch
    WHERE relname IN ('charges', 'reconciliations')`,
  )
  const writtenRows = (name: string) => rows.find(({ relname }) => relname === name).written
  return `A due-date charge that is watched for ${rows[0].days} days and never paid: ${writtenRows("charges")} versions of its row, ${writtenRows("reconciliations")} of its company's.`
}

/** Compares half an hour of a day, after a warm-up of three hours, with fixed figures. */
export const dayBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const rows = await withWorld(await databases("day"), 1, async (world) => {
    const living = { chargesADay, paidAfterMs: drawPaidAfterMs, processes: 1, stepMs: 60_000 }
    await live(world, { ...living, hours: 3 })
    return measure(world, 1, 0.5)
  })
  const [all, looks] = rows.slice(-2).map(([, , spent]) => spent) as [Figures, Figures]
  const [log, postgres, host, calls, statements] = plus(all, looks)
  const row = (what: string, ours: number, theirs: number): Ratio => ({
    what: `${what} of a charge's day`,
    peer: String(theirs),
    ...compareRounds([ours], [theirs]),
    goal: 1,
  })
  return [
    { ...row("statements", statements, 10), costs: [[host], [postgres], [log]] },
    row("calls to the bank", calls, 3.2),
    row("bytes of log", log, 6_000),
  ]
}

export const lifeBench = async (): Promise<string> => {
  const server = await startPostgres(flags.flatMap((flag) => ["-c", flag]))
  try {
    const [rows, ofMany, kept] = await withWorld(await server.database("life"), manyProcesses, async (world) => {
      const living = { chargesADay, paidAfterMs: drawPaidAfterMs, processes: 1, stepMs: 60_000 }
      await live(world, { ...living, hours: warmUp })
      const measured = await measure(world, 1, alone)
      const measuredMany = await measure(world, manyProcesses, together)
      return [measured, measuredMany, await tellKept(world)] as const
    })
    const calls: Array<ReadonlyArray<string>> = []
    for (const day of callDays)
      calls.push(await withWorld(await server.database(`calls${day[0]}`), 1, (world) => countCalls(world, day)))
    const writes = await withWorld(await server.database("writes"), 1, countWrites)
    const cell = (a: number, b = 0, digits = 0) => `${a.toFixed(digits)} / ${b.toFixed(digits)}`
    const table = rows.map(([name, times, spent], index) => {
      const many = ofMany[index]
      return [name, cell(times, many?.[1], 2), ...spent.map((one, of) => cell(one, many?.[2][of], of >= 3 ? 2 : 0))]
    })
    return [
      markdownTable(
        ["Step", "For each charge", "Log, bytes", "Postgres, µs", "Hosts, µs", "Bank calls", "Statements"],
        table,
      ),
      markdownTable(["Charges a day", "To issue 100", "To confirm", "To look out", "Together"], calls),
      `${writes} ${kept}`,
    ].join("\n\n")
  } finally {
    await server.stop()
  }
}
