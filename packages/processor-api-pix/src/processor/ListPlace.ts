import { ProcessorUnavailable } from "@pixcharge/core"
import { addDays, brasiliaDate, type LocalDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { hash } from "node:crypto"
import type { PspClient } from "../client/PspClient.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import type { CountedPage } from "../wire/lists.ts"

/** Where a list continues, and what shows whether it has changed, repeats itself or has no end. */
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
const isRepeated = ({ before }: ListPlace, { marks }: CountedPage): boolean =>
  marks.length > 0 && digest(marks) === before

/** A list of more pages than the bank counts may have these; and no list may have more than those. */
const [maxUncounted, maxPages] = [1_000, 100_000]

/** Where to continue after a page; undefined after the last. The failure says why the list can't be read. */
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

/** A page of a list, counted from 0, with what was read up to its end and what the page before held. */
interface PageRead extends Pick<ListPlace, "read" | "before"> {
  readonly index: number
}

/** Whether a page is the last. Counts that are wrong say nothing, and a full page is never the last, even where they say so. */
const isLast = (got: CountedPage, { index, read, before }: PageRead, pageSize: number): boolean => {
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
const findNextPlace = (place: ListPlace, got: CountedPage, pageSize: number): Next => {
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
  if (isLast(got, { index, read, before: place.before }, pageSize)) return Result.succeed(undefined)
  return index + 1 >= Math.min(Math.max(next.counted, maxUncounted), maxPages)
    ? Result.fail(`the bank's list has not ended after ${index + 1} pages`)
    : Result.succeed({ ...next, page: page + 1 })
}

/** The statuses with which banks refuse a page beyond the last one. */
const noSuchPage = new Set([400, 404, 410, 422])

/** A page that the bank is asked for, and what stands for one beyond the last. */
interface RequestedPage<Page> {
  /** What it is for, in errors. */
  readonly operation: string
  readonly found: Effect.Effect<Page, ProcessorUnavailable | PspRefusal>
  readonly empty: Page
}

/** What a page adds to the pages before it, which is nothing if it repeats the last, and the place of the next, if there is one. */
export interface PageResult<Page> {
  readonly got: Page
  readonly next: ListPlace | undefined
}

/**
 * Reads a page of any list: one beyond the last may be refused. Fails with `ProcessorUnavailable` if the bank repeats a page in
 * place of the next, or the list doesn't end.
 */
export const readPage = Effect.fnUntraced(function* <Page extends CountedPage>(
  { profile }: PspClient,
  place: ListPlace,
  { operation, found, empty }: RequestedPage<Page>,
): Effect.fn.Return<PageResult<Page>, ProcessorUnavailable | PspRefusal> {
  const got = yield* Effect.catchTag(found, "PspRefusal", (refusal) =>
    place.isBeyond && noSuchPage.has(refusal.status) ? Effect.succeed(empty) : Effect.fail(refusal),
  )
  const next = yield* Effect.mapError(
    Effect.fromResult(findNextPlace(place, got, profile.pageSize)),
    (cause) => new ProcessorUnavailable({ operation, cause }),
  )
  return { got: isRepeated(place, got) ? empty : got, next }
})

const dayMs = 86_400_000
/** How far Brasília is behind UTC. */
export const brasiliaBehindMs = 3 * 3_600_000
/** A list is asked for in whole seconds around the period: that makes it up to two longer. */
export const roundedMs = 2_000

const dayOfMonth = (date: LocalDate): number => Number(date.slice(-2))

/** The first instant of the next month in Brasília. */
const endOfBrasiliaMonth = (at: number): number => {
  const today = brasiliaDate(at)
  const nextMonth = addDays(today, 32 - dayOfMonth(today))
  return startOfBrasiliaDay(addDays(nextMonth, 1 - dayOfMonth(nextMonth)))
}

/** When the month ends in Brasília or in UTC, whichever comes first: nobody says by which the bank counts. */
const endOfMonth = (at: number): number =>
  Math.min(endOfBrasiliaMonth(at), endOfBrasiliaMonth(at + brasiliaBehindMs) - brasiliaBehindMs)

/** A part of a period that a bank lists in one. */
export interface ListWindow {
  /** It ends before this instant; where that is not the period's end, the next part begins there. */
  readonly until: number
  /** What the bank is asked for: up to and with this instant. */
  readonly to: number
}

/** The longest part of a period, from its start, that a bank lists in one. All in epoch milliseconds. */
export const listWindow = (from: number, until: number, { listPeriod }: Pick<PspWays, "listPeriod">): ListWindow => {
  const whole = { until, to: until + 999 }
  if (listPeriod === "any") return whole
  if (listPeriod === "month") {
    const end = endOfMonth(from)
    // The last second of the month: the bank refuses a list that reaches the next one.
    return { until: Math.min(until, end), to: Math.min(until + 999, end - 1) }
  }
  const end = Math.min(until, from + listPeriod.days * dayMs - roundedMs)
  return { until: end, to: end + 999 }
}
