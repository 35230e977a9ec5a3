import { type Page, type PageRequest, pageSize, type StoreUnavailable, type TooManyReports } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type * as Effect from "effect/Effect"
import type { Answer, Database, Row } from "./Database.ts"
import type { PagedSql } from "./Sql.ts"
import { SqlFailure } from "./SqlFailure.ts"
import { reportEffect } from "./storeEffect.ts"

type Position = ReadonlyArray<string | number>

/** A cursor says where a page ended; its form is nobody's API. */
const encodeCursor = (position: Position): string => Buffer.from(JSON.stringify(position)).toString("base64url")

const parseCursor = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString())
  } catch {
    return undefined
  }
}

/** Cursors of a form that callers know. */
interface Cursors<A> {
  readonly format: (item: A) => string
  readonly parse: (cursor: string) => Position | undefined
}

/** Cursors of the store's own form. */
interface Positions<A> {
  /** Where an item stands in the list: a number and some texts. */
  readonly position: (item: A) => Position
  readonly texts: number
}

/** How a list is read. */
export type List<A> = { readonly fromRow: (row: Row) => A } & ({ readonly cursors: Cursors<A> } | Positions<A>)

const ownCursors = <A>({ position, texts }: Positions<A>): Cursors<A> => ({
  format: (item) => encodeCursor(position(item)),
  parse: (cursor) => {
    const parsed = parseCursor(cursor)
    return Array.isArray(parsed) &&
      parsed.length === texts + 1 &&
      parsed.every((part, at) => typeof part === (at === 0 ? "number" : "string"))
      ? parsed
      : undefined
  },
})

/** Where the page before ended; empty for the first page. */
const cursorPosition = <A>({ cursor }: PageRequest, { parse }: Cursors<A>): Position => {
  if (cursor === undefined) return []
  const position = parse(cursor)
  if (position === undefined) {
    throw new SqlFailure({ kind: "badValue", sqlState: "", message: "the cursor comes from no page" })
  }
  return position
}

/**
 * Reads one page. `read` answers with at most `limit` rows that follow a position: one more than the page shows, so that
 * it is known whether the page is the last. A page is a report (`ReportTurns`).
 */
export const readPage = <A>(
  operation: string,
  list: List<A>,
  request: PageRequest,
  read: (after: Position, limit: number, signal: AbortSignal) => Promise<Answer>,
): Effect.Effect<Page<A>, StoreUnavailable | TooManyReports> =>
  reportEffect(operation, async (signal) => {
    const size = pageSize(request)
    const cursors = "cursors" in list ? list.cursors : ownCursors(list)
    const { rows } = await read(cursorPosition(request, cursors), size + 1, signal)
    const items = rows.slice(0, size).map(list.fromRow)
    const last = items.at(-1)
    return rows.length > size && last !== undefined ? { items, cursor: cursors.format(last) } : { items }
  })

/** Reads pages of a list whose statement takes the issuer and the values, then the most rows, then where the page before ended. */
export const makeReadPage =
  ({ run }: Database) =>
  <A>(
    operation: string,
    issuer: Cnpj,
    list: List<A> & { readonly statement: PagedSql },
    values: ReadonlyArray<unknown>,
    request: PageRequest,
  ): Effect.Effect<Page<A>, StoreUnavailable | TooManyReports> =>
    readPage(operation, list, request, (after, limit, signal) =>
      run(after.length === 0 ? list.statement.first : list.statement.next, [issuer, ...values, limit, ...after], {
        signal,
        reportOf: issuer,
      }),
    )
