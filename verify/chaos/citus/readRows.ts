import type pg from "pg"

/** A table that holds some of the rows of a table of ours: a shard, where it lies. */
export interface Place {
  /** Our table's name. */
  readonly table: string
  /** What names the place in a report. */
  readonly name: string
  /** The table to read, with its schema, as SQL writes it. */
  readonly relation: string
  readonly pool: pg.Pool
  /** Whether the rows of this company belong here. */
  readonly isHomeOf: (issuer: string) => boolean
}

/** A row as it lies on disk. */
export interface PlacedRow {
  readonly table: string
  readonly place: string
  /** The primary key, as text. */
  readonly key: string
  readonly issuer: string
  /** It lies where its company's rows belong. */
  readonly isHome: boolean
  readonly columns: Readonly<Record<string, unknown>>
}

const keyColumns = `SELECT a.attname AS name FROM pg_index i
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY a.attname`

const readPlace = async ({ table, name, relation, pool, isHomeOf }: Place): Promise<ReadonlyArray<PlacedRow>> => {
  const key = (await pool.query<{ name: string }>(keyColumns, [relation])).rows.map((column) => column.name)
  const { rows } = await pool.query<{ columns: Record<string, unknown> }>(
    `SELECT to_jsonb(t) AS columns FROM ${relation} t`,
  )
  return rows.map(({ columns }) => {
    const issuer = String(columns["issuer"])
    return {
      table,
      place: name,
      key: key.map((column) => String(columns[column])).join(" "),
      issuer,
      isHome: isHomeOf(issuer),
      columns,
    }
  })
}

/** Every row of every place, read from the tables themselves and by no code of the store's. */
export const readRows = async (places: ReadonlyArray<Place>): Promise<ReadonlyArray<PlacedRow>> => {
  const rows: Array<ReadonlyArray<PlacedRow>> = []
  for (const place of places) rows.push(await readPlace(place))
  return rows.flat()
}
