import * as Effect from "effect/Effect"
import type { Opened } from "./opened.ts"
import { type Counted, type Phase, phases, runDay } from "./day.ts"
import { backendCpu, readTables, type TableFigures, writtenLog } from "./tables.ts"

const costs = { calls: 0, ms: 0, log: 0, cpu: 0 }
const rounded = (value: number) => Math.round(value * 10) / 10

/** What a day has come to. */
export interface Day {
  readonly charges: number
  /** Bytes of log for each charge. */
  readonly log: number
  readonly before: ReadonlyArray<TableFigures>
  readonly after: ReadonlyArray<TableFigures>
}

/** A day on one database; prints what each phase has cost. */
export const measureDay = async (name: string, charges: number, { pool, runtime }: Opened): Promise<Day> => {
  const before = await readTables(pool)
  await pool.query("CHECKPOINT")
  await pool.query("SELECT pg_stat_reset()")
  const spent = new Map<Phase, typeof costs>(phases.map((phase) => [phase, { ...costs }]))
  const read = async () => ({ ms: performance.now(), log: await writtenLog(pool), cpu: await backendCpu(pool) })
  let last = await read()
  const begun = last.log
  const counted: Counted = (phase, piece) =>
    Effect.flatMap(piece, (calls) =>
      Effect.promise(async () => {
        const [sum, after] = [spent.get(phase) ?? costs, await read()]
        sum.calls += calls
        for (const what of ["ms", "log", "cpu"] as const) sum[what] += after[what] - last[what]
        last = after
      }),
    )
  const tomorrow = Date.now()
  await runtime.runPromise(Effect.orDie(runDay(charges, tomorrow, counted)))
  console.error(`a day of ${charges} charges ${name}`)
  console.table(
    Object.fromEntries(
      [...spent].map(([phase, { calls, ms, log, cpu }]) => [
        phase,
        {
          calls,
          "bytes of log a call": Math.round(log / calls),
          "µs of backends": rounded((cpu * 1_000) / calls),
          ms: Math.round(ms),
        },
      ]),
    ),
  )
  const log = ((await writtenLog(pool)) - begun) / charges
  return { charges, log, before, after: await readTables(pool) }
}
