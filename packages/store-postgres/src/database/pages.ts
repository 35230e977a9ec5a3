import { type Page, type PageRequest, pageSize, type StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { SchemaName } from "../SchemaName.ts"
import type { Database, Row, Sql } from "./Database.ts"
import { SqlFailure } from "./SqlFailure.ts"
import { storeEffect } from "./storeEffect.ts"

/** How many rows a page asks for: one more than it shows, to know whether it is the last. */
export const rowsFor = (request: PageRequest): number => pageSize(request) + 1

/** A cursor says where a page ended; its form is nobody's API. */
const encodeCursor = (position: ReadonlyArray<string | number>): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url")

const parseCursor = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString())
  } catch {
    return undefined
  }
}

/** Where the page before ended: a number and so many texts; nothing for the first page. */
export const positionOf = (
  operation: string,
  { cursor }: PageRequest,
  texts: number,
): Effect.Effect<ReadonlyArray<string | number>, StoreUnavailable> =>
  storeEffect(operation, async () => {
    if (cursor === undefined) return []
    const position = parseCursor(cursor)
    const fits =
      Array.isArray(position) &&
      position.length === texts + 1 &&
      position.every((part, at) => typeof part === (at === 0 ? "number" : "string"))
    if (!fits) throw new SqlFailure({ kind: "badValue", code: "", message: "the cursor comes from no page" })
    return position
  })

/** A page of what was read; `endOf` says where an item stands in the order. */
export const pageOf = <A>(
  items: ReadonlyArray<A>,
  request: PageRequest,
  endOf: (item: A) => ReadonlyArray<string | number>,
): Page<A> => {
  const size = pageSize(request)
  const last = items[size - 1]
  if (items.length <= size || last === undefined) return { items }
  return { items: items.slice(0, size), cursor: encodeCursor(endOf(last)) }
}

/** A list's statement for its first page, or for those that follow. */
export type PagedSql = (schema: SchemaName, isFirst: boolean) => Sql

/** How a list is read. Its statement takes its own values, then the most rows, then where the page before ended. */
export interface List<A> {
  readonly statement: PagedSql
  readonly fromRow: (row: Row) => A
  /** Where an item stands in the list: a number and so many texts. */
  readonly position: (item: A) => ReadonlyArray<string | number>
  readonly texts: number
}

/** Reads pages of lists. */
export const makeReadPage =
  ({ query, schema }: Database) =>
  <A>(
    operation: string,
    { statement, fromRow, position, texts }: List<A>,
    values: ReadonlyArray<unknown>,
    request: PageRequest,
  ): Effect.Effect<Page<A>, StoreUnavailable> =>
    Effect.flatMap(positionOf(operation, request, texts), (after) =>
      Effect.map(
        query(operation, statement(schema, after.length === 0), [...values, rowsFor(request), ...after]),
        (rows) => pageOf(rows.map(fromRow), request, position),
      ),
    )
