import {
  invalidCursor,
  type InvalidFilter,
  isStorableMoment,
  type Page,
  type PageRequest,
  pageSize,
  type StoreUnavailable,
  type TooManyReports,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { type Answer, type Database, reportEffect, type Row } from "./Database.ts"
import type { PagedSql, SqlValue } from "./Sql.ts"

type Position = ReadonlyArray<string | number>

export interface List<A> {
  readonly fromRow: (row: Row) => A
  /** The item's time, in seconds since the epoch, and some strings. */
  readonly position: (item: A) => Position
  /** For each string of the position: whether the statement can take it. */
  readonly textChecks: ReadonlyArray<(text: string) => boolean>
}

const formatCursor = (list: string, position: Position): string =>
  Buffer.from(JSON.stringify([list, ...position])).toString("base64url")

const readJson = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString())
  } catch {
    return undefined
  }
}

/** Returns the end of the previous page, or undefined for another list's cursor. */
const parseCursor = (name: string, cursor: string, checks: List<never>["textChecks"]): Position | undefined => {
  const read = readJson(cursor)
  const [list, seconds, ...texts] = Array.isArray(read) ? (read as ReadonlyArray<unknown>) : []
  if (list !== name || typeof seconds !== "number" || !isStorableMoment(seconds * 1_000)) return undefined
  const valid = texts.filter(
    (text, index): text is string => typeof text === "string" && checks[index]?.(text) === true,
  )
  return valid.length === checks.length && texts.length === checks.length ? [seconds, ...valid] : undefined
}

/**
 * A report (`ReportTurns`). `read` returns at most `limit` rows after a position, empty for the first page. One more row shows
 * that another page follows.
 */
export const readPage = <A>(
  name: string,
  list: List<A>,
  request: PageRequest,
  read: (after: Position, limit: number, signal: AbortSignal) => Promise<Answer>,
): Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports> => {
  const after = request.cursor === undefined ? [] : parseCursor(name, request.cursor, list.textChecks)
  if (after === undefined) return Effect.fail(invalidCursor())
  return reportEffect(name, async (signal) => {
    const size = pageSize(request)
    const { rows } = await read(after, size + 1, signal)
    const items = rows.slice(0, size).map(list.fromRow)
    const last = items.at(-1)
    return rows.length > size && last !== undefined
      ? { items, cursor: formatCursor(name, list.position(last)) }
      : { items }
  })
}

interface NamedList<A> extends List<A> {
  readonly name: string
  readonly statement: PagedSql
}

export const makeReadPage =
  ({ run }: Database) =>
  <A>(
    issuer: Cnpj,
    list: NamedList<A>,
    values: ReadonlyArray<SqlValue>,
    request: PageRequest,
  ): Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports> =>
    readPage(list.name, list, request, (after, limit, signal) =>
      run(after.length === 0 ? list.statement.first : list.statement.next, [issuer, ...values, limit, ...after], {
        signal,
        reportOf: issuer,
      }),
    )
