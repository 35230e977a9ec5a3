import type { Row } from "./Database.ts"
import { isTrue, numberIfAny } from "./values.ts"

/** Selects a time as seconds, exact to the microsecond. It's a number, because drivers parse dates differently. */
export const seconds = (column: string): string => `date_part('epoch', ${column})`

export interface Kind<Value> {
  /** The Postgres type of the value in the JSON. */
  readonly type: string
  /** Converts the JSON's value to the column's. */
  readonly store?: (given: string) => string
  /** Converts the column's value to a form that all drivers read the same way. */
  readonly show?: (column: string) => string
  write(value: Value): unknown
  /** Reads a value that isn't null; undefined if the value means absence. */
  read(cell: unknown): Value | undefined
}

const same = <A>(value: A): A => value

export const text: Kind<string> = { type: "text", write: same, read: String }
export const uuid: Kind<string> = { ...text, type: "uuid" }
export const day: Kind<string> = { ...text, type: "date", show: (column) => `to_char(${column}, 'YYYY-MM-DD')` }
export const integer: Kind<number> = { type: "integer", write: numberIfAny, read: Number }
export const bigint: Kind<number> = { ...integer, type: "bigint" }
export const boolean: Kind<boolean> = { type: "boolean", write: same, read: isTrue }
export const float: Kind<number> = { ...integer, type: "float8" }
/** True or absent, in a column that is never null. */
export const flag: Kind<true> = {
  type: "boolean",
  store: (given) => `coalesce(${given}, false)`,
  write: same,
  read: (cell) => isTrue(cell) || undefined,
}
/** Epoch milliseconds, in a `timestamptz`. */
export const instant: Kind<number> = {
  type: "float8",
  store: (given) => `to_timestamp(${given})`,
  show: seconds,
  write: (millis) => numberIfAny(millis / 1000),
  read: (cell) => Math.round(Number(cell) * 1000),
}
export const json: Kind<unknown> = {
  type: "json",
  show: (column) => `${column}::text`,
  write: same,
  read: (cell) => JSON.parse(String(cell)),
}

interface Column {
  readonly name: string
  readonly shownAs: string
  readonly kind: Pick<Kind<unknown>, "type" | "store" | "show">
  readonly isPersonal: boolean
}

const store = ({ name, kind, isPersonal }: Column, alias: string, owner: string | undefined): string => {
  const value = (kind.store ?? same)(`${alias}.${name}`)
  return isPersonal && owner !== undefined ? `CASE WHEN ${owner}.payer_erased_at IS NULL THEN ${value} END` : value
}
const show = ({ name, kind }: Column, alias: string): string => (kind.show ?? same)(`${alias}.${name}`)

export class ColumnList {
  readonly columns: ReadonlyArray<Column>

  constructor(columns: ReadonlyArray<Column>) {
    this.columns = columns
  }

  and(...others: ReadonlyArray<ColumnList>): ColumnList {
    return new ColumnList([this, ...others].flatMap(({ columns }) => columns))
  }

  /** `a, b` */
  get names(): string {
    return this.#list(({ name }) => name)
  }

  /** `a text, b float8` */
  get recordset(): string {
    return this.#list(({ name, kind }) => `${name} ${kind.type}`)
  }

  /** `n.a, to_timestamp(n.b)`. With `owner`, personal columns are null if that row's payer is erased. */
  given(alias: string, owner?: string): string {
    return this.#list((column) => store(column, alias, owner))
  }

  /** `a = n.a, b = to_timestamp(n.b)` */
  set(alias: string, owner?: string): string {
    return this.#list((column) => `${column.name} = ${store(column, alias, owner)}`)
  }

  /** `a = coalesce(n.a, c.a), b = coalesce(to_timestamp(n.b), c.b)` */
  setIfAny(alias: string, current: string): string {
    return this.#list(
      (column) => `${column.name} = coalesce(${store(column, alias, undefined)}, ${current}.${column.name})`,
    )
  }

  /** `a = excluded.a, b = excluded.b` */
  get excluded(): string {
    return this.#list(({ name }) => `${name} = excluded.${name}`)
  }

  /** `a = NULL` */
  get erased(): string {
    return new ColumnList(this.columns.filter(({ isPersonal }) => isPersonal)).#list(({ name }) => `${name} = NULL`)
  }

  /** `c.a AS a, date_part('epoch', c.b) AS b` */
  shown(alias: string): string {
    return this.#list((column) => `${show(column, alias)} AS ${column.shownAs}`)
  }

  /** `c.a, c.b` */
  named(alias: string): string {
    return this.#list(({ name }) => `${alias}.${name}`)
  }

  /** `'a', c.a, 'b', date_part('epoch', c.b)` */
  members(alias: string): string {
    return this.#list((column) => `'${column.name}', ${show(column, alias)}`)
  }

  /** `json_build_object('a', c.a, 'b', date_part('epoch', c.b))` */
  asJson(alias: string): string {
    return `json_build_object(${this.members(alias)})`
  }

  #list(write: (column: Column) => string): string {
    return this.columns.map(write).join(", ")
  }
}

export interface Part<Value> {
  readonly columns: ReadonlyArray<Column>
  write(this: void, row: Record<string, unknown>, value: Value): void
  /** Returns undefined if the columns are null. */
  read(this: void, row: Row): Value | undefined
}

type FieldOf<Value> = [Value] extends [string]
  ? Kind<string>
  : [Value] extends [number]
    ? Kind<number>
    : [Value] extends [boolean]
      ? Kind<boolean>
      : Kind<unknown> | Part<Value>

type Fields<Value> = { readonly [Name in keyof Value]-?: FieldOf<Exclude<Value[Name], undefined>> }

type NameOf<Union> = Union extends unknown ? keyof Union : never
type ValueOf<Union, Name> = Union extends unknown ? (Name extends keyof Union ? Union[Name] : never) : never

/** The fields of all members of a union, except the fields in `Elsewhere`, which other columns store. */
export type AnyField<Union, Elsewhere> = {
  readonly [Name in Exclude<NameOf<Union>, Elsewhere>]?: Exclude<ValueOf<Union, Name>, undefined>
}

const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const oneColumn = (kind: Kind<unknown>, column: Omit<Column, "kind">): Part<unknown> => ({
  columns: [{ ...column, kind }],
  write: (row, value) => {
    row[column.name] = kind.write(value)
  },
  read: (row) => {
    const cell = row[column.shownAs]
    return cell === null || cell === undefined ? undefined : kind.read(cell)
  },
})

const severalColumns = (part: Part<unknown>, isPersonal: boolean): Part<unknown> =>
  isPersonal ? { ...part, columns: part.columns.map((column) => ({ ...column, isPersonal })) } : part

interface ColumnOptions<Value> {
  readonly prefix?: string
  readonly shownAs?: string
  readonly personal?: { readonly [Name in keyof Value]?: boolean }
}

/** Stores each field in a column of its name, such as `paid_at` for `paidAt`. An absent field is null. */
export class Columns<Value> extends ColumnList implements Part<Value> {
  readonly #parts: { readonly [Name in keyof Value]: Part<unknown> }
  readonly #first: string

  constructor(fields: Fields<Value>, { prefix = "", shownAs = "", personal = {} }: ColumnOptions<Value> = {}) {
    const parts = Object.entries<Kind<unknown> | Part<unknown>>(fields).map(([field, kind]) => {
      const isPersonal = personal[field as keyof Value] === true
      if ("columns" in kind) return [field, severalColumns(kind, isPersonal)] as const
      const name = `${prefix}${columnName(field)}`
      return [field, oneColumn(kind, { name, shownAs: `${shownAs}${name}`, isPersonal })] as const
    })
    super(parts.flatMap(([, { columns }]) => columns))
    this.#parts = Object.fromEntries(parts) as { readonly [Name in keyof Value]: Part<unknown> }
    this.#first = this.columns[0]?.shownAs ?? ""
  }

  readonly write = (row: Record<string, unknown>, value: Value): void => {
    for (const field in this.#parts) {
      const fieldValue = value[field]
      if (fieldValue !== undefined) this.#parts[field].write(row, fieldValue)
    }
  }

  /** Returns undefined if the first column is null. */
  readonly read = (row: Row): Value | undefined => {
    const first = row[this.#first]
    return first === null || first === undefined ? undefined : this.fromRow(row)
  }

  readonly toRow = (value: Value): Record<string, unknown> => {
    const row = {}
    this.write(row, value)
    return row
  }

  readonly fromRow = (row: Row): Value => {
    const value: Partial<Record<keyof Value, unknown>> = {}
    for (const field in this.#parts) {
      const fieldValue = this.#parts[field].read(row)
      if (fieldValue !== undefined) value[field] = fieldValue
    }
    return value as Value
  }
}
