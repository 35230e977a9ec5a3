import { type Page, type PageRequest, pageSize, type Period, StoreUnavailable } from "@pixcharge/core"
import * as Result from "effect/Result"

/** Rows in the order of a moment and, among equals, of a text; both must never change. */
export interface SortedRows<A> {
  readonly add: (row: A) => void
  readonly delete: (row: A) => void
  readonly page: (selection: Selection<A>) => Result.Result<Page<A>, StoreUnavailable>
}

export interface Selection<A> {
  readonly request: PageRequest
  readonly newestFirst: boolean
  /** All moments, unless told. */
  readonly period?: Period
  /** All rows, unless told. */
  readonly where?: (row: A) => boolean
}

interface Position {
  readonly at: number
  readonly id: string
}

const cursorForm = /^(-?\d+(?:\.\d+)?) (.+)$/s

const positionOf = (cursor: string): Result.Result<Position, StoreUnavailable> => {
  const [, at, id] = cursorForm.exec(cursor) ?? []
  return at !== undefined && id !== undefined
    ? Result.succeed({ at: Number(at), id })
    : Result.fail(new StoreUnavailable({ operation: "page", cause: "the cursor comes from no page" }))
}

/** A sorted array: rows come mostly in order, and an append is all they cost. */
export const makeSortedRows = <A>(positionIn: (row: A) => Position): SortedRows<A> => {
  const rows: Array<A> = []

  /** How many rows stand before a position; with those at it, if they are to be counted. */
  const countBefore = ({ at, id }: Position, withEqual: boolean): number => {
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const found = positionIn(rows[middle] as A)
      const isBefore = found.at < at || (found.at === at && (found.id < id || (withEqual && found.id === id)))
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add: (row) => {
      const last = rows.at(-1)
      const position = positionIn(row)
      if (last === undefined || positionIn(last).at < position.at) rows.push(row)
      else rows.splice(countBefore(position, true), 0, row)
    },
    delete: (row) => {
      const place = countBefore(positionIn(row), false)
      if (rows[place] === row) rows.splice(place, 1)
    },
    page: ({ request, newestFirst, period, where = () => true }) => {
      const { cursor } = request
      const size = pageSize(request)
      const after = cursor === undefined ? undefined : positionOf(cursor)
      if (after !== undefined && Result.isFailure(after)) return Result.fail(after.failure)
      let first = period === undefined ? 0 : countBefore({ at: period.from, id: "" }, false)
      let end = period === undefined ? rows.length : countBefore({ at: period.until, id: "" }, false)
      if (after !== undefined && newestFirst) end = Math.min(end, countBefore(after.success, false))
      if (after !== undefined && !newestFirst) first = Math.max(first, countBefore(after.success, true))
      const items: Array<A> = []
      for (let count = 0; count < end - first; count++) {
        const row = rows[newestFirst ? end - 1 - count : first + count] as A
        if (!where(row)) continue
        if (items.length === size) {
          const { at, id } = positionIn(items.at(-1) as A)
          return Result.succeed({ items, cursor: `${at} ${id}` })
        }
        items.push(row)
      }
      return Result.succeed({ items })
    },
  }
}

/** The same page of other things. */
export const mapPage = <A, B>({ items, ...rest }: Page<A>, f: (item: A) => B): Page<B> => ({
  ...rest,
  items: items.map(f),
})
