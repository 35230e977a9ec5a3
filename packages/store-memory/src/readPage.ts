import { type Page, type PageRequest, pageSize, type Period, StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"

/** Where an item stands in a list: by a moment and, among equals, by a text. */
interface Position {
  readonly at: number
  readonly id: string
}

export interface PageOptions<A> {
  readonly position: (item: A) => Position
  readonly request: PageRequest
  /** Default: all moments. */
  readonly period?: Period
  readonly newestFirst?: boolean
  /** How its cursors are written; by default in a form of the store's own. */
  readonly cursors?: Cursors
}

interface Cursors {
  readonly format: (position: Position) => string
  readonly parse: (cursor: string) => Position | undefined
}

const cursorForm = /^(-?\d+(?:\.\d+)?) (.+)$/s

const parseCursor = (cursor: string): Position | undefined => {
  const [, at, id] = cursorForm.exec(cursor) ?? []
  return at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

const ownCursors: Cursors = { format: ({ at, id }) => `${at} ${id}`, parse: parseCursor }

/** Whether a moment lies in the period; every moment does by default. */
export const isWithin = (period: Period | undefined, moment: number): boolean =>
  period === undefined || (period.from <= moment && moment < period.until)

const compare = (a: Position, b: Position): number => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id))

/** One page of the items, oldest first by default. Sorts them all: a store in memory has few. */
export const readPage = <A>(
  operation: string,
  items: () => Iterable<A>,
  { position, request, period, newestFirst = false, cursors = ownCursors }: PageOptions<A>,
): Effect.Effect<Page<A>, StoreUnavailable> =>
  Effect.suspend(() => {
    const after = request.cursor === undefined ? undefined : cursors.parse(request.cursor)
    if (request.cursor !== undefined && after === undefined) {
      return Effect.fail(new StoreUnavailable({ operation, cause: "the cursor comes from no page" }))
    }
    const order = (a: Position, b: Position): number => (newestFirst ? compare(b, a) : compare(a, b))
    const rows = Array.from(items(), (item) => ({ item, ...position(item) }))
      .filter((row) => isWithin(period, row.at))
      .filter((row) => after === undefined || order(after, row) < 0)
      .toSorted(order)
    const size = pageSize(request)
    const page = { items: rows.slice(0, size).map(({ item }) => item) }
    const last = rows[size - 1]
    return Effect.succeed(rows.length > size && last ? { ...page, cursor: cursors.format(last) } : page)
  })
