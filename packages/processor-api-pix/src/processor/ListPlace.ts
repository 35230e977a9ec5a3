import { ProcessorUnavailable } from "@pixcharge/core"
import { addDays, brasiliaDate, type LocalDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { hash } from "node:crypto"
import type { PspClient } from "../client/PspClient.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import type { CountedPage } from "../wire/lists.ts"

/** A position in a paged list. Its counts show whether the list changes, repeats a page or doesn't end. */
export interface ListPlace {
  /** Start of the listed part, in epoch milliseconds. */
  readonly since: number
  readonly page: number
  /** The number of the list's first page, as far as it is known. */
  readonly first: number
  readonly read: number
  readonly counted: number
  /** The smallest element count that the bank has reported. */
  readonly minTotal: number
  readonly before: string
  /** The bank can refuse this page, because its counts say that the list has ended. */
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

/** Releases that run side by side must write the same form. */
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

const isRepeated = ({ before }: ListPlace, { marks }: CountedPage): boolean =>
  marks.length > 0 && digest(marks) === before

const [maxUncounted, maxPages] = [1_000, 100_000]

/** Undefined after the last page. The failure says why the list can't be read. */
type Next = Result.Result<ListPlace | undefined, string>

const passRepeat = (place: ListPlace, { marks, pages = 0, total = 0 }: CountedPage, pageSize: number): Next => {
  const { page, first, read } = place
  const index = page - first
  if (page === 1 && first === 0) return Result.succeed({ ...place, page: 2, first: 1 })
  // Only the bank's counts prove that a full page was the whole list.
  const isCut = index === 1 && marks.length === pageSize && !(pages === 1 && total <= read)
  return isCut || index < pages || total > read
    ? Result.fail(`the bank repeats the previous page as page ${page}`)
    : Result.succeed(undefined)
}

interface PageRead extends Pick<ListPlace, "read" | "before"> {
  readonly index: number
}

/** Ignores contradictory counts. A full page is never the last. */
const isLast = (got: CountedPage, { index, read, before }: PageRead, pageSize: number): boolean => {
  const { marks, pages = Infinity, total = 0, size = pageSize } = got
  // More pages can follow an empty page. Two empty pages end the list, regardless of counts.
  if (marks.length === 0) return before === nothing || (index + 1 >= (got.pages ?? 0) && total <= read)
  return index + 1 === pages && total <= read && marks.length < Math.min(size, pageSize)
}

/**
 * Finds the place after a page. If elements leave the list between two calls, the later elements move to earlier pages,
 * so as many pages are read again as elements left. Believes a bank's count only if it promises more elements.
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
  // The smallest count only falls, so reading ends even if the bank's counts go up and down.
  if (index > 0 && total !== undefined && total < minTotal && minTotal !== Infinity) {
    return Result.succeed({ ...next, page: Math.max(first, page - (minTotal - total)), read: 0 })
  }
  // Page 0 is empty but the bank counts items: its pages start at 1. A bank without an element count can count one empty page.
  if (page === 0 && marks.length === 0 && (pages > 1 || (total ?? pages) > 0))
    return Result.succeed({ ...next, page: 1, first: 1 })
  if (isLast(got, { index, read, before: place.before }, pageSize)) return Result.succeed(undefined)
  return index + 1 >= Math.min(Math.max(next.counted, maxUncounted), maxPages)
    ? Result.fail(`the bank's list has not ended after ${index + 1} pages`)
    : Result.succeed({ ...next, page: page + 1 })
}

const noSuchPage = new Set([400, 404, 410, 422])

interface RequestedPage<Page> {
  readonly operation: string
  readonly found: Effect.Effect<Page, ProcessorUnavailable | PspRefusal>
  readonly empty: Page
}

/** A page's new elements, and the place of the next page. */
export interface PageResult<Page> {
  readonly got: Page
  readonly next: ListPlace | undefined
}

/**
 * Reads a page of any list. Fails with `ProcessorUnavailable` if the bank repeats the previous page instead of the next
 * one, or the list doesn't end.
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
export const brasiliaBehindMs = 3 * 3_600_000
/** Rounding to whole seconds can lengthen a period by this. */
export const roundedMs = 2_000

const dayOfMonth = (date: LocalDate): number => Number(date.slice(-2))

const endOfBrasiliaMonth = (at: number): number => {
  const today = brasiliaDate(at)
  const nextMonth = addDays(today, 32 - dayOfMonth(today))
  return startOfBrasiliaDay(addDays(nextMonth, 1 - dayOfMonth(nextMonth)))
}

/** The end of the month in Brasília or in UTC, the earlier of the two: banks don't document which zone they use. */
const endOfMonth = (at: number): number =>
  Math.min(endOfBrasiliaMonth(at), endOfBrasiliaMonth(at + brasiliaBehindMs) - brasiliaBehindMs)

export interface ListWindow {
  /** The exclusive end of this part, in epoch milliseconds. */
  readonly until: number
  /** The inclusive end that is sent to the bank. */
  readonly to: number
}

/** From the period's start; times are epoch milliseconds. */
export const listWindow = (from: number, until: number, { listPeriod }: Pick<PspWays, "listPeriod">): ListWindow => {
  const whole = { until, to: until + 999 }
  if (listPeriod === "any") return whole
  if (listPeriod === "month") {
    const end = endOfMonth(from)
    // The bank refuses a list that reaches the next month.
    return { until: Math.min(until, end), to: Math.min(until + 999, end - 1) }
  }
  const end = Math.min(until, from + listPeriod.days * dayMs - roundedMs)
  return { until: end, to: end + 999 }
}
