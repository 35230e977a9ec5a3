import * as Effect from "effect/Effect"
import type { Opened } from "./opened.ts"
import { type Counted, type Phase, phases, runDay } from "./day.ts"
import { backendCpu, readTables, writtenLog } from "./tables.ts"

const costs = { calls: 0, ms: 0, log: 0, cpu: 0 }
const rounded = (value: number) => Math.round(value * 10) / 10

/** A day on one database: prints what each phase has cost and what became of the tables; bytes of log for each charge. */
export const measureDay = async (name: string, issued: number, { pool, runtime }: Opened): Promise<number> => {
  await pool.query("CHECKPOINT")
  await pool.query("SELECT pg_stat_reset()")
  const spent = new Map<Phase, typeof costs>(phases.map((phase) => [phase, { ...costs }]))
  const read = async () => ({ ms: performance.now(), log: await writtenLog(pool), cpu: await backendCpu(pool) })
  let before = await read()
  const begun = before.log
  const counted: Counted = (phase, piece) =>
    Effect.flatMap(piece, (calls) =>
      Effect.promise(async () => {
        const [sum, after] = [spent.get(phase) ?? costs, await read()]
        sum.calls += calls
        for (const what of ["ms", "log", "cpu"] as const) sum[what] += after[what] - before[what]
        before = after
      }),
    )
  const tomorrow = Date.now()
  await runtime.runPromise(Effect.orDie(runDay(issued, tomorrow, counted)))
  console.error(`a day of ${issued} charges ${name}`)
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
  console.table(
    (await readTables(pool)).map(({ updates, hot, samePage, heap, live, indexes, ...row }) => ({
      ...row,
      updates,
      "HOT %": rounded((100 * hot) / updates),
      "in its page %": rounded((100 * samePage) / updates),
      "heap MB": rounded(heap / 1e6),
      "live %": rounded((100 * live) / heap),
      "indexes MB": rounded(indexes / 1e6),
    })),
  )
  return ((await writtenLog(pool)) - begun) / issued
}
