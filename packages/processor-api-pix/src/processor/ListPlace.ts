import { hash } from "node:crypto"
import * as Result from "effect/Result"
import type { PspWays } from "../PspProfile.ts"
import type { CountedPage } from "../wire/CountedPage.ts"

/** Where a list goes on, and what shows whether it has changed, repeats itself or has no end. */
export interface ListPlace {
  /** Where the part of the period begins that is being listed. */
  readonly since: number
  /** As the bank is asked for it. */
  readonly page: number
  /** The number of its first page, as far as it shows. */
  readonly first: number
  /** How many elements were read, at least. */
  readonly read: number
  /** How many pages the bank counted on the first. */
  readonly counted: number
  /** The smallest number of elements that the bank has counted so far. */
  readonly minTotal: number
  /** What the page before held, as a digest; empty on the first. */
  readonly before: string
  /** By what the bank has counted there is no such page: it may be refused. */
  readonly isBeyond: boolean
}

export const makeFirstPlace = (since: number, { firstPage }: Pick<PspWays, "firstPage">): ListPlace => ({
  since,
  page: firstPage,
  first: firstPage,
  read: 0,
  counted: 0,
  minTotal: Infinity,
  before: "",
  isBeyond: false,
})

/** The cursor of a page of payments. The store keeps it, so that two releases that run beside each other read it alike. */
export const writeCursor = ({ since, page, minTotal, before, first, read, counted, isBeyond }: ListPlace): string =>
  [since, page, minTotal === Infinity ? "" : minTotal, before, first, read, counted, isBeyond ? 1 : ""].join(".")

export const readPlace = (cursor: string): ListPlace => {
  const [since, page, minTotal = "", before = "", first, read, counted, beyond = ""] = cursor.split(".")
  return {
    since: Number(since),
    page: Number(page),
    first: Number(first),
    read: Number(read),
    counted: Number(counted),
    minTotal: minTotal === "" ? Infinity : Number(minTotal),
    before,
    isBeyond: beyond !== "",
  }
}

const digest = (marks: ReadonlyArray<string>): string => hash("sha256", marks.toSorted().join()).slice(0, 16)
const nothing = digest([])

/** Whether a page holds what the page before held. */
export const isRepeated = ({ before }: ListPlace, { marks }: CountedPage): boolean =>
  marks.length > 0 && digest(marks) === before

/** A list of more pages than the bank counts may have these; and no list may have more than those. */
const [maxUncounted, maxPages] = [1_000, 100_000]

/** Where to go on after a page; undefined after the last. The failure says why the list can't be read. */
type Next = Result.Result<ListPlace | undefined, string>

/** After a page that repeats the one before: the bank counts from 1, or has no more, or doesn't give it. */
const passRepeat = (place: ListPlace, { marks, pages = 0, total = 0 }: CountedPage, pageSize: number): Next => {
  const { page, first, read } = place
  const index = page - first
  if (page === 1 && first === 0) return Result.succeed({ ...place, page: 2, first: 1 })
  // Cut at the size that was asked for, and never a second page: then only the bank's counts can say that this was all.
  const isCut = index === 1 && marks.length === pageSize && !(pages === 1 && total <= read)
  return isCut || index < pages || total > read
    ? Result.fail(`the bank answers page ${page} with the page before`)
    : Result.succeed(undefined)
}

/** Whether a page is the last. Counts that are wrong say nothing, and a full page is never the last, even where they say so. */
const isLast = (index: number, read: number, got: CountedPage, pageSize: number, before: string): boolean => {
  const { marks, pages = Infinity, total = 0, size = pageSize } = got
  // One that is empty may have others behind it; two in a row are the end, with any count.
  if (marks.length === 0) return before === nothing || (index + 1 >= (got.pages ?? 0) && total <= read)
  return index + 1 === pages && total <= read && marks.length < Math.min(size, pageSize)
}

/**
 * Finds the place after a page of a part of the period. A bank cuts the pages again for every call: if the list loses elements
 * while it is read, the rest moves to earlier pages, and as many pages are read again. A bank's count is believed only if it says
 * that there is more: a list that counts no pages, or wrongly, is read until a page is short or empty.
 */
export const findNextPlace = (place: ListPlace, got: CountedPage, pageSize: number): Next => {
  if (isRepeated(place, got)) return passRepeat(place, got, pageSize)
  const { marks, pages = 0, total } = got
  const { page, first, minTotal } = place
  const index = page - first
  const read = place.read + marks.length
  const next = {
    ...place,
    read,
    counted: index === 0 ? pages : place.counted,
    minTotal: Math.min(minTotal, total ?? Infinity),
    before: digest(marks),
    isBeyond: index + 1 >= pages && (total ?? 0) <= read,
  }
  // The smallest count only falls: so the reading ends even if the bank's counts go up and down.
  if (index > 0 && total !== undefined && total < minTotal && minTotal !== Infinity) {
    return Result.succeed({ ...next, page: Math.max(first, page - (minTotal - total)), read: 0 })
  }
  // It has some, and none on page 0: then it counts from 1. One that counts no elements may count a page of none.
  if (page === 0 && marks.length === 0 && (pages > 1 || (total ?? pages) > 0))
    return Result.succeed({ ...next, page: 1, first: 1 })
  if (isLast(index, read, got, pageSize, place.before)) return Result.succeed(undefined)
  return index + 1 >= Math.min(Math.max(next.counted, maxUncounted), maxPages)
    ? Result.fail(`the bank's list has not ended after ${index + 1} pages`)
    : Result.succeed({ ...next, page: page + 1 })
}
