import { type Page, type PageRequest, pageSize, StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"

/** How many rows a page asks for: one more than it shows, to know whether it is the last. */
export const rowsFor = (request: PageRequest): number => pageSize(request) + 1

/** A cursor says where a page ended, in a form that nobody need understand. */
const cursorOf = (position: ReadonlyArray<string | number>): string =>
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
): Effect.Effect<ReadonlyArray<string | number>, StoreUnavailable> => {
  if (cursor === undefined) return Effect.succeed([])
  const position = parseCursor(cursor)
  const fits =
    Array.isArray(position) &&
    position.length === texts + 1 &&
    position.every((part, at) => typeof part === (at === 0 ? "number" : "string"))
  return fits
    ? Effect.succeed(position)
    : Effect.fail(new StoreUnavailable({ operation, cause: "the cursor comes from no page" }))
}

/** A page of what was read; `endOf` says where an item stands in the order. */
export const pageOf = <A>(
  items: ReadonlyArray<A>,
  request: PageRequest,
  endOf: (item: A) => ReadonlyArray<string | number>,
): Page<A> => {
  const size = pageSize(request)
  const last = items[size - 1]
  if (items.length <= size || last === undefined) return { items }
  return { items: items.slice(0, size), cursor: cursorOf(endOf(last)) }
}
