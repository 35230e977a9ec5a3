import * as Effect from "effect/Effect"
import type { OpenStore } from "../openStore.ts"
import { markdownTable } from "../../world/markdownTable.ts"
import { runDay } from "./day.ts"
import { readTable, type TableFigures, writtenLog } from "./tables.ts"

export interface Day extends TableFigures {
  readonly charges: number
  readonly log: number
}

/** Runs a day of this many charges on one database. */
export const measureDay = async (charges: number, { pool, runtime }: OpenStore): Promise<Day> => {
  await pool.query("CHECKPOINT")
  await pool.query("SELECT pg_stat_reset()")
  const before = await writtenLog(pool)
  const tomorrow = Date.now()
  await runtime.runPromise(Effect.orDie(runDay(charges, tomorrow)))
  const log = ((await writtenLog(pool)) - before) / charges
  return { charges, log, ...(await readTable(pool)) }
}

const percent = (part: number, whole: number, digits = 0): string => `${((100 * part) / whole).toFixed(digits)} %`

const rows: Readonly<Record<string, (day: Day) => string>> = {
  "updates for each charge": ({ updates, charges }) => (updates / charges).toFixed(1),
  "of them HOT": ({ hot, updates }) => percent(hot, updates),
  "of them in the page of the row": ({ samePage, updates }) => percent(samePage, updates),
  "bytes of the table that are live rows": ({ live, size }) => percent(live, size, 1),
  "autovacuum runs": ({ autovacuums }) => String(autovacuums),
  "log of a whole life of a charge": ({ log }) => `${(log / 1e3).toFixed(1)} kB`,
}

/** The table of charges after a day, without the tables' settings and with them. */
export const dayTable = (without: Day, withThem: Day): string =>
  markdownTable(
    ["Of `charges` after the day", "Without settings", "With them"],
    Object.entries(rows).map(([what, write]) => [what, write(without), write(withThem)]),
  )
