import pg from "pg"
import { ratioTable } from "../report.ts"
import { startPostgres } from "../startPostgres.ts"
import { stockCharges } from "../stockCharges.ts"
import { dayTable } from "./dayTable.ts"
import { type Day, measureDay } from "./measureDay.ts"
import { close, open } from "./opened.ts"
import { stockDeliveries } from "./stockDeliveries.ts"
import { upkeep } from "./upkeep.ts"

/** Charges that are stored before the day, and charges of the day; smaller ones make a quicker variant. */
const stored = Number(process.env["GROWTH"] ?? 10_000_000)
const issued = Number(process.env["CHURN"] ?? 50_000)

// The day takes minutes: autovacuum looks at the tables as often as it would in a day.
const flags = [
  "max_wal_size=4GB",
  "checkpoint_timeout=30min",
  "shared_buffers=1GB",
  "autovacuum_naptime=1s",
  "autovacuum_vacuum_cost_delay=0",
].flatMap((setting) => ["-c", setting])

/** Takes the tables' settings away, and with them the record of the step of the schema that made them. */
const withoutSettings = async (pool: pg.Pool): Promise<void> => {
  await pool.query(`DO $$ DECLARE
    changed record;
  BEGIN
    FOR changed IN
      SELECT oid::regclass AS name, (SELECT string_agg(split_part(o, '=', 1), ', ') FROM unnest(reloptions) o) AS options
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pixcharge'::regnamespace AND reloptions IS NOT NULL
    LOOP
      EXECUTE format('ALTER TABLE %s RESET (%s)', changed.name, changed.options);
    END LOOP;
    DELETE FROM pixcharge.migrations WHERE name = 'settings of the tables';
  END $$`)
}

/** A day's churn of large tables with and without the settings of the tables, and upkeep beside full load. */
export const churnBench = async (): Promise<string> => {
  const server = await startPostgres(flags)
  try {
    const url = await server.database("without")
    const without = await open(url)
    await withoutSettings(without.pool)
    await stockCharges(without.pool, stored)
    await stockDeliveries(without.pool, stored)
    await without.pool.query("VACUUM ANALYZE")
    await close(without)
    const admin = new pg.Client({ connectionString: url.replace(/without$/, "postgres") })
    await admin.connect()
    await admin.query(`CREATE DATABASE "with" TEMPLATE without STRATEGY file_copy`)
    await admin.end()
    const measure = async (name: "without" | "with"): Promise<Day> => {
      const opened = await open(url.replace(/without$/, name))
      if (name === "without") await withoutSettings(opened.pool)
      const day = await measureDay(`${name} the settings of the tables`, issued, opened)
      await close(opened)
      return day
    }
    const days = { without: await measure("without"), with: await measure("with") }
    const kept = await open(url.replace(/without$/, "with"))
    console.log(ratioTable(await upkeep(kept)))
    await close(kept)
    const kilobytes = ({ log }: Day): string => `${(log / 1e3).toFixed(1)} kB`
    const logs = `Log of a whole life of a charge, with archives: ${kilobytes(days.without)} without the settings, ${kilobytes(days.with)} with them.`
    const stock = `${stored.toLocaleString("en")} charges stored, a day of ${issued.toLocaleString("en")}, one run of each.`
    return `${stock} ${logs}\n\n${dayTable(days)}`
  } finally {
    await server.stop()
  }
}
