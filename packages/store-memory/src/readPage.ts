import { invalidCursor, type InvalidFilter, type Page, type PageRequest, pageSize, type Period } from "@pixcharge/core"
import * as Effect from "effect/Effect"

interface Position {
  readonly at: number
  readonly id: string
}

export interface PageOptions<A> {
  readonly position: (item: A) => Position
  readonly request: PageRequest
  /** Any time by default. */
  readonly period?: Period
  readonly newestFirst?: boolean
}

const cursorForm = /^(\w+) (-?\d+(?:\.\d+)?) (.+)$/s

/** A cursor names its list, because a position has no meaning in another list. */
const formatCursor = (list: string, { at, id }: Position): string => `${list} ${at} ${id}`

const parseCursor = (list: string, cursor: string): Position | undefined => {
  const [, of, at, id] = cursorForm.exec(cursor) ?? []
  return of !== list || at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

export const isWithin = (period: Period | undefined, moment: number): boolean =>
  period === undefined || (period.from <= moment && moment < period.until)

const compare = (a: Position, b: Position): number => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id))

/** Sorts all items: a store in memory has few. */
export const readPage = <A>(
  list: string,
  items: () => Iterable<A>,
  { position, request, period, newestFirst = false }: PageOptions<A>,
): Effect.Effect<Page<A>, InvalidFilter> =>
  Effect.suspend(() => {
    const after = request.cursor === undefined ? undefined : parseCursor(list, request.cursor)
    if (request.cursor !== undefined && after === undefined) return Effect.fail(invalidCursor())
    const order = (a: Position, b: Position): number => (newestFirst ? compare(b, a) : compare(a, b))
    const rows = Array.from(items(), (item) => ({ item, ...position(item) }))
      .filter((row) => isWithin(period, row.at))
      .filter((row) => after === undefined || order(after, row) < 0)
      .toSorted(order)
    const size = pageSize(request)
    const page = { items: rows.slice(0, size).map(({ item }) => item) }
    const last = rows[size - 1]
    return Effect.succeed(rows.length > size && last ? { ...page, cursor: formatCursor(list, last) } : page)
  })
