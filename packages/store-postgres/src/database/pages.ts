import { type Page, type PageRequest, pageSize, type StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { Answer, Database, Row } from "./Database.ts"
import type { PagedSql } from "./Sql.ts"
import { SqlFailure } from "./SqlFailure.ts"
import { storeEffect } from "./storeEffect.ts"

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

/** How a list is read. */
export interface List<A> {
  readonly fromRow: (row: Row) => A
  /** Where an item stands in the list: a number and some texts. */
  readonly position: (item: A) => Position
  readonly texts: number
}

/** Where the page before ended; empty for the first page. */
const cursorPosition = ({ cursor }: PageRequest, texts: number): Position => {
  if (cursor === undefined) return []
  const position = parseCursor(cursor)
  const fits =
    Array.isArray(position) &&
    position.length === texts + 1 &&
    position.every((part, at) => typeof part === (at === 0 ? "number" : "string"))
  if (!fits) throw new SqlFailure({ kind: "badValue", sqlState: "", message: "the cursor comes from no page" })
  return position
}

/**
 * Reads one page. `read` answers with at most `limit` rows that follow a position: one more than the page shows, so that
 * it is known whether the page is the last.
 */
export const readPage = <A>(
  operation: string,
  { fromRow, position, texts }: List<A>,
  request: PageRequest,
  read: (after: Position, limit: number) => Promise<Answer>,
): Effect.Effect<Page<A>, StoreUnavailable> =>
  storeEffect(operation, async () => {
    const size = pageSize(request)
    const { rows } = await read(cursorPosition(request, texts), size + 1)
    const items = rows.slice(0, size).map(fromRow)
    const last = items.at(-1)
    return rows.length > size && last !== undefined ? { items, cursor: encodeCursor(position(last)) } : { items }
  })

/** Reads pages of a list whose statement takes the values, then the most rows, then where the page before ended. */
export const makeReadPage =
  ({ run }: Database) =>
  <A>(
    operation: string,
    list: List<A> & { readonly statement: PagedSql },
    values: ReadonlyArray<unknown>,
    request: PageRequest,
  ): Effect.Effect<Page<A>, StoreUnavailable> =>
    readPage(operation, list, request, (after, limit) =>
      run(after.length === 0 ? list.statement.first : list.statement.next, [...values, limit, ...after]),
    )
