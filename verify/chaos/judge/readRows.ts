import { PGlite } from "@electric-sql/pglite"
import pg from "pg"
import type { Row } from "./Evidence.ts"

export const tables = [
  "charges",
  "charge_texts",
  "payments",
  "returns",
  "partial_refunds",
  "deliveries",
  "settled_deliveries",
] as const

/** A table, or a shard of it. */
export interface TablePlace {
  readonly table: string
  readonly name: string
  readonly relation: string
  readonly url: string
  readonly isHome: (issuer: string) => boolean
}

const keyColumns = `SELECT a.attname AS name FROM pg_index i
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1])
  WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY a.attname`

interface Session {
  readonly query: <R extends pg.QueryResultRow>(
    text: string,
    values?: Array<unknown>,
  ) => Promise<{ readonly rows: ReadonlyArray<R> }>
  readonly close: () => Promise<void>
}

const openSession = async (url: string): Promise<Session> => {
  if (!url.startsWith("postgres:")) return PGlite.create(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { query: (text, values) => client.query(text, values), close: () => client.end() }
}

const readPlace = async (
  session: Session,
  { table, name, relation, isHome: isHomeOf }: TablePlace,
): Promise<ReadonlyArray<Row>> => {
  const key = (await session.query<{ name: string }>(keyColumns, [relation])).rows.map((column) => column.name)
  const { rows } = await session.query<{ columns: Record<string, unknown> }>(
    `SELECT to_jsonb(t) AS columns FROM ${relation} t`,
  )
  return rows.map(({ columns }) => ({
    table,
    place: name,
    key: key.map((column) => String(columns[column])).join(" "),
    isHome: isHomeOf(String(columns["issuer"])),
    columns,
  }))
}

/** Reads all rows without the store's code. */
export const readRows = async (places: ReadonlyArray<TablePlace>): Promise<ReadonlyArray<Row>> => {
  const rows: Array<ReadonlyArray<Row>> = []
  for (const url of new Set(places.map((place) => place.url))) {
    const session = await openSession(url)
    for (const place of places.filter((one) => one.url === url)) rows.push(await readPlace(session, place))
    await session.close()
  }
  return rows.flat()
}
