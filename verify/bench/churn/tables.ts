import type pg from "pg"
import { cpuNsOf } from "../processes/ServerCpu.ts"

/** What a table's life has come to. Sizes in bytes. */
export interface TableFigures {
  readonly table: string
  readonly updates: number
  /** Of the updates, those that wrote into no index, and those that stayed in their page. */
  readonly hot: number
  readonly samePage: number
  readonly dead: number
  readonly autovacuums: number
  readonly heap: number
  /** Bytes of rows that are alive. */
  readonly live: number
  readonly indexes: number
}

/** The tables that a day of charges changes most. */
const watched = ["charges", "deliveries", "settled_deliveries", "queue_leases"]

/** The figures of these tables, in their order. */
export const readTables = async (pool: pg.Pool): Promise<ReadonlyArray<TableFigures>> => {
  await pool.query("CREATE EXTENSION IF NOT EXISTS pgstattuple")
  await pool.query("SELECT pg_stat_force_next_flush()")
  const { rows } = await pool.query(
    `SELECT s.relname AS table, n_tup_upd AS updates, n_tup_hot_upd AS hot,
      n_tup_upd - n_tup_newpage_upd AS "samePage", autovacuum_count AS autovacuums,
      t.dead_tuple_count AS dead, t.table_len AS heap, t.approx_tuple_len AS live, pg_indexes_size(s.relid) AS indexes
    FROM pg_stat_user_tables s, pgstattuple_approx(s.relid) t
    WHERE s.schemaname = 'pixcharge' AND s.relname = ANY ($1) ORDER BY array_position($1, s.relname::text)`,
    [watched],
  )
  return rows.map((row: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, name === "table" ? value : Math.round(Number(value))]),
    ),
  ) as unknown as ReadonlyArray<TableFigures>
}

/** Bytes of the log that this server has written. */
export const writtenLog = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes")
  return Number(rows[0].bytes)
}

/** Milliseconds of processor that the backends of this database have used; on Linux alone. */
export const backendCpu = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
  )
  return rows.reduce((sum: number, { pid }: { pid: number }) => sum + cpuNsOf(pid) / 1e6, 0)
}
