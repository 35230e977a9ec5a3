import type pg from "pg"
import { ratioTable } from "../report.ts"
import { startPostgres } from "../startPostgres.ts"
import { stockCharges, stockDeliveries } from "../stockCharges.ts"
import { openStore } from "../openStore.ts"
import { dayTable, measureDay } from "./measureDay.ts"
import { upkeep } from "./upkeep.ts"

/** Charges stored before the day, and charges of the day. Smaller numbers make a quicker run. */
const stored = Number(process.env["GROWTH"] ?? 10_000_000)
const issued = Number(process.env["CHURN"] ?? 50_000)

// The day takes minutes, so autovacuum looks at the tables more often: as often as in a whole day.
const flags = [
  "max_wal_size=4GB",
  "checkpoint_timeout=30min",
  "shared_buffers=1GB",
  "autovacuum_naptime=1s",
  "autovacuum_vacuum_cost_delay=0",
].flatMap((setting) => ["-c", setting])

/** Removes the tables' settings, and the record of the migration that made them. */
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

/** A day's churn of large tables, with and without the tables' settings, and upkeep under full load. */
export const churnBench = async (): Promise<string> => {
  const server = await startPostgres(flags)
  try {
    const url = await server.database("without")
    const stock = await openStore(url)
    await withoutSettings(stock.pool)
    await stockCharges(stock.pool, stored)
    await stockDeliveries(stock.pool, stored)
    await stock.pool.query("VACUUM ANALYZE")
    await stock.close()
    const withUrl = await server.copy("without", "with")
    const without = await openStore(url)
    await withoutSettings(without.pool)
    const dayWithout = await measureDay(issued, without)
    await without.close()
    const withThem = await openStore(withUrl)
    const dayWith = await measureDay(issued, withThem)
    console.log(ratioTable(await upkeep(withThem)))
    await withThem.close()
    return dayTable(dayWithout, dayWith)
  } finally {
    await server.stop()
  }
}
