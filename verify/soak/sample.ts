import type pg from "pg"
import type { HostSample } from "../chaos/host.ts"

export interface TableSample {
  readonly tableBytes: number
  readonly indexBytes: number
  readonly liveRows: number
  readonly deadRows: number
}

export interface DatabaseSample {
  /** The connections of the host. */
  readonly connections: number
  /** The bytes and records that were written to the write-ahead log so far. */
  readonly walBytes: number
  readonly walRecords: number
  /** The waiting deliveries that don't wait for a retry. */
  readonly outboxDue: number
  readonly tables: Readonly<Record<string, TableSample>>
}

/** All measured quantities at one time. */
export interface SoakSample {
  /** Milliseconds since the start of the load. */
  readonly atMs: number
  readonly host: HostSample
  readonly database: DatabaseSample
  /** The charges issued so far. */
  readonly issued: number
}

const readServer = `
SELECT
  (
    SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
  )::int AS "connections",
  wal_bytes::float8 AS "walBytes", wal_records::float8 AS "walRecords",
  (
    SELECT count(*) FROM pixcharge.deliveries WHERE superseded_at IS NULL AND (attempts = 0 OR next_at <= now())
  )::int AS "outboxDue"
FROM pg_stat_wal`

const readTables = `
SELECT
  relname AS name, pg_table_size(relid)::float8 AS "tableBytes", pg_indexes_size(relid)::float8 AS "indexBytes",
  n_live_tup::float8 AS "liveRows", n_dead_tup::float8 AS "deadRows"
FROM pg_stat_user_tables WHERE schemaname = 'pixcharge'`

export const sampleDatabase = async (db: pg.Pool): Promise<DatabaseSample> => {
  const { rows: servers } = await db.query<Omit<DatabaseSample, "tables">>(readServer)
  const { rows: tables } = await db.query<TableSample & { readonly name: string }>(readTables)
  return {
    ...(servers[0] as Omit<DatabaseSample, "tables">),
    tables: Object.fromEntries(tables.map(({ name, ...table }) => [name, table])),
  }
}
