import { groupBy } from "./groupBy.ts"
import type { tables } from "./readRows.ts"
import type { Row } from "./Evidence.ts"

type Table = (typeof tables)[number]
type Columns = Row["columns"]

/** Which columns name the thing that the judge looks for. */
const namedBy: Readonly<Record<Table, string>> = {
  charges: "id",
  payments: "end_to_end_id",
  returns: "end_to_end_id",
  partial_refunds: "charge_id",
  deliveries: "charge_id",
  settled_deliveries: "charge_id",
}

/** The rows, by what they are about. */
export class RowIndex {
  readonly #rows: ReadonlyArray<Row>
  readonly #found: ReadonlyMap<string, ReadonlyArray<Row>>

  constructor(rows: ReadonlyArray<Row>) {
    this.#rows = rows
    this.#found = groupBy(rows, ({ table, columns }) => `${table} ${String(columns[namedBy[table as Table]])}`)
  }

  /** The rows of a table about a charge, by its id, or a payment, by its endToEndId. */
  of(table: Table, name: string): ReadonlyArray<Columns> {
    return (this.#found.get(`${table} ${name}`) ?? []).map(({ columns }) => columns)
  }

  all(table: Table): ReadonlyArray<Columns> {
    return this.#rows.filter((row) => row.table === table).map(({ columns }) => columns)
  }

  /** Rows that lie where they don't belong, or twice. */
  flaws(): ReadonlyArray<string> {
    const same = groupBy(this.#rows, ({ table, key }) => `${table} ${key}`)
    return [
      ...this.#rows
        .filter(({ isHome }) => !isHome)
        .map(({ table, key, place }) => `misplaced: ${table} ${key} lies in ${place}`),
      ...[...same]
        .filter(([, rows]) => rows.length > 1)
        .map(([row, rows]) => `doubled: ${row} lies in ${rows.map(({ place }) => place).join(" and ")}`),
    ]
  }
}
