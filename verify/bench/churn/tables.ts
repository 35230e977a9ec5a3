import type pg from "pg"

/** Figures of the table of charges. Sizes in bytes. */
export interface TableFigures {
  readonly updates: number
  /** Of the updates: those that wrote to no index, and those that stayed in their page. */
  readonly hot: number
  readonly samePage: number
  readonly autovacuums: number
  readonly size: number
  readonly live: number
}

export const readTable = async (pool: pg.Pool): Promise<TableFigures> => {
  await pool.query("CREATE EXTENSION IF NOT EXISTS pgstattuple")
  await pool.query("SELECT pg_stat_force_next_flush()")
  const { rows } = await pool.query<TableFigures>(
    `SELECT n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS hot,
      (n_tup_upd - n_tup_newpage_upd)::float8 AS "samePage", autovacuum_count::float8 AS autovacuums,
      t.table_len::float8 AS size, t.approx_tuple_len::float8 AS live
    FROM pg_stat_user_tables s, pgstattuple_approx(s.relid) t
    WHERE s.schemaname = 'pixcharge' AND s.relname = 'charges'`,
  )
  return rows[0] as TableFigures
}

/** Bytes of log written by this server. */
export const writtenLog = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes")
  return Number(rows[0].bytes)
}
