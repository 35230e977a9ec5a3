import pg from "pg"
import { applicationName } from "../companies.ts"

/** What one table takes. */
export interface TableSample {
  readonly tableBytes: number
  readonly indexBytes: number
  readonly liveRows: number
  readonly deadRows: number
}

/** What the database says of itself. */
export interface DatabaseSample {
  /** Connections of the host. */
  readonly connections: number
  /** Written to the log so far: bytes, and records. */
  readonly walBytes: number
  readonly walRecords: number
  /** Deliveries that wait, whenever they are due. */
  readonly outboxRows: number
  /** Of these, the ones that don't wait for a further attempt. */
  readonly outboxDue: number
  readonly tables: Readonly<Record<string, TableSample>>
}

const readServer = `
SELECT
  (SELECT count(*) FROM pg_stat_activity WHERE application_name = $1)::int AS "connections",
  wal_bytes::float8 AS "walBytes", wal_records::float8 AS "walRecords",
  waiting.count::int AS "outboxRows", waiting.due::int AS "outboxDue"
FROM pg_stat_wal, (
  SELECT count(*), count(*) FILTER (WHERE attempts = 0 OR next_at <= now()) AS due
  FROM pixcharge.deliveries WHERE superseded_at IS NULL
) waiting`

const readTables = `
SELECT
  relname AS name, pg_table_size(relid)::float8 AS "tableBytes", pg_indexes_size(relid)::float8 AS "indexBytes",
  n_live_tup::float8 AS "liveRows", n_dead_tup::float8 AS "deadRows"
FROM pg_stat_user_tables WHERE schemaname = 'pixcharge'`

const terminateOne = `
SELECT pg_terminate_backend(pid) FROM (
  SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start LIMIT 1
) AS oldest`

/** Those deliveries whose first attempts failed wait for minutes and hours: their time is made now. */
const hasten = "UPDATE pixcharge.deliveries SET next_at = now() WHERE attempts > 0 AND next_at > now()"

/** Looks at the database from beside the host, over a connection of its own. */
export class Observer {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async connect(connectionString: string): Promise<Observer> {
    const client = new pg.Client({ connectionString })
    client.on("error", () => undefined)
    await client.connect()
    return new Observer(client)
  }

  async version(): Promise<string> {
    const { rows } = await this.#client.query<{ server_version: string }>("SHOW server_version")
    return rows[0]?.server_version ?? ""
  }

  async sample(): Promise<DatabaseSample> {
    const { rows: servers } = await this.#client.query(readServer, [applicationName])
    const { rows: tables } = await this.#client.query<TableSample & { readonly name: string }>(readTables)
    return {
      ...(servers[0] as Omit<DatabaseSample, "tables">),
      tables: Object.fromEntries(tables.map(({ name, ...table }) => [name, table])),
    }
  }

  /** Ends the oldest of the host's connections, as an administrator would. */
  async terminateBackend(): Promise<void> {
    await this.#client.query(terminateOne, [applicationName])
  }

  /** Makes what waits for a further attempt due. */
  async hasten(): Promise<void> {
    await this.#client.query(hasten)
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}
