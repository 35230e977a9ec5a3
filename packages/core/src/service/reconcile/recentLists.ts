import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { makeRecentMap, type RecentMap } from "../../cache/RecentMap.ts"
import { makeSingleFlight } from "../../cache/SingleFlight.ts"
import type { PendingCharge } from "../../charge/Charge.ts"
import { isAnsweredByList, paymentCheckIntervalMs } from "../../charge/checkSchedule.ts"
import type { ProcessorUnavailable } from "../../errors.ts"
import type { Cents } from "../../money/Money.ts"
import type { Period } from "../../page/Period.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import { logFailure } from "../../telemetry/index.ts"
import { isIncomplete, type RecordPage } from "./recordPage.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The lists of at least half as many companies are kept, those used last; another company starts anew. */
const mostKept = 20_000
/** Amounts of a company's payments that name no charge. */
const mostAmounts = 1_000
/** A bank may list a payment so late, and its clock may be behind ours by so much. */
const leastOverlapMs = 5 * minuteMs
/** As far back as the daily reconciliation lists; a charge that was not checked for longer is looked up. */
const longestMs = 48 * hourMs
/** More than that isn't worth it: a hundred thousand payments of a hundred a page. */
const mostPages = 1_000
/** For so long a company's charges are looked up after a list that failed; twice as long after each more. */
const firstPauseMs = 10 * minuteMs
const longestPauseMs = 24 * hourMs

/** What this process has listed of one company's payments. Moments are epoch milliseconds. */
interface CompanyLists {
  /** Listed as a whole, and recorded: one period without a gap. */
  listed?: Period
  /** What a list costs: the pages of the last one by its length. */
  pagesPerMs: number
  /** What was spent on look-ups instead since then. */
  lookedUp: number
  /** Where the next list has to begin, and how many checks wait for it. */
  wanted: { from: number; checks: number }
  /** When a payment of so much that names no charge, and is none's, was last listed: it may be a charge's of the same amount. */
  readonly unnamed: RecentMap<Cents, number>
  /** After a list that failed. */
  pausedUntil: number
  pauseMs: number
}

/** Before `from`, as far as nothing is missed that comes late into the list: as long again as the time since. */
const reachedBack = (from: number, now: number): number => from - Math.max(now - from, leastOverlapMs)

const newLists = (): CompanyLists => ({
  pagesPerMs: 0,
  lookedUp: 0,
  wanted: { from: Infinity, checks: 0 },
  unnamed: makeRecentMap(mostAmounts),
  pausedUntil: 0,
  pauseMs: 0,
})

/**
 * Lists of a company's recent payments, which answer the checks of all its unpaid charges at once: one list costs what one
 * look-up does, as long as it is one page. Checks that are due together share a list, and a check that comes due within
 * half an interval after one takes it for its answer. Where lists are longer than that, charges are looked up until the
 * look-ups have cost as much. What is known is this process's alone: another one lists for the checks that it claims.
 */
export const makeRecentLists = Effect.fnUntraced(function* (recordPage: RecordPage) {
  const companies = makeRecentMap<Cnpj, CompanyLists>(mostKept)
  const flights = makeSingleFlight<void, ProcessorUnavailable>(yield* Effect.scope)

  const listsOf = (issuer: Cnpj): CompanyLists => {
    const known = companies.get(issuer)
    const lists = known ?? newLists()
    if (known === undefined) companies.set(issuer, lists)
    return lists
  }

  /** Until when the charge's payments are in the books; undefined if the lists don't reach so far back, or aren't recent. */
  const answered = ({ listed }: CompanyLists, charge: PendingCharge, from: number, now: number): number | undefined => {
    const { checkedUntil = Infinity } = charge
    if (listed === undefined || listed.from > from || listed.until > now || listed.until <= checkedUntil)
      return undefined
    return now - listed.until <= paymentCheckIntervalMs(charge, now) / 2 ? listed.until : undefined
  }

  /** Whoever came while a list was under way has joined it: it answers them, or they are looked up. */
  const forgetWanted = (lists: CompanyLists) => Effect.sync(() => void (lists.wanted = { from: Infinity, checks: 0 }))

  /** The period of the next list; undefined while look-ups cost less. */
  const nextPeriod = (lists: CompanyLists, until: number): Period | undefined => {
    const { from: wanted, checks } = lists.wanted
    const { listed } = lists
    const goesOn = listed !== undefined && listed.from <= wanted && listed.until <= until
    const from = goesOn ? Math.max(wanted, reachedBack(listed.until, until)) : wanted
    lists.lookedUp += checks
    return lists.lookedUp < lists.pagesPerMs * (until - from) ? undefined : { from, until }
  }

  /** A bank that takes no list now, and says when it will, hardly takes look-ups in its place; but lists may never come. */
  const pause = (lists: CompanyLists, askedMs = firstPauseMs) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const shortestMs = Number.isNaN(askedMs) ? firstPauseMs : Math.max(askedMs, minuteMs)
      lists.pauseMs = Math.min(Math.max(2 * lists.pauseMs, shortestMs), longestPauseMs)
      lists.pausedUntil = now + lists.pauseMs
    })

  const recordPages = Effect.fnUntraced(function* (issuer: Cnpj, period: Period, lists: CompanyLists) {
    let cursor: string | undefined
    for (let pages = 1; pages <= mostPages; pages++) {
      const page = yield* recordPage(issuer, period, cursor)
      for (const amount of page.unnamed) lists.unnamed.set(amount, period.until)
      // Whose payment could not be read or recorded is found by the look-ups.
      if (isIncomplete(page)) return undefined
      if (page.cursor === undefined) return pages
      cursor = page.cursor
    }
    return undefined
  })

  const list = Effect.fnUntraced(function* (issuer: Cnpj) {
    // The other checks of the same claim are begun before.
    yield* Effect.yieldNow
    const lists = listsOf(issuer)
    const period = nextPeriod(lists, yield* Clock.currentTimeMillis)
    if (period === undefined) return
    const pages = yield* Effect.tapError(recordPages(issuer, period, lists), (error) =>
      Effect.andThen(
        pause(lists, error.retryAfterMs),
        logFailure("Warn", `The payments of ${issuer} could not be listed`, error),
      ),
    )
    if (pages === undefined) return yield* pause(lists)
    const { listed } = lists
    const goesOn = listed !== undefined && listed.until >= period.from && listed.until <= period.until
    lists.listed = goesOn ? { from: Math.min(listed.from, period.from), until: period.until } : period
    lists.pagesPerMs = pages === 1 ? 0 : pages / (period.until - period.from)
    lists.lookedUp = 0
    lists.pauseMs = 0
  })

  const mayBeUnnamed = ({ unnamed }: CompanyLists, { amountCents, checkedUntil = 0 }: PendingCharge): boolean =>
    (unnamed.get(amountCents) ?? -Infinity) > checkedUntil

  /**
   * Until when the charge's payments are listed and recorded, by a list that is made now if none answers yet; undefined
   * where the charge is to be looked up. Fails while the processor doesn't list: then nothing is known of the charge.
   */
  return Effect.fnUntraced(function* (charge: PendingCharge) {
    const now = yield* Clock.currentTimeMillis
    const lists = listsOf(charge.issuer)
    const from = reachedBack(charge.checkedUntil ?? -Infinity, now)
    // After a clock was set back, the pause of another time is over.
    const isPaused = now < lists.pausedUntil && now >= lists.pausedUntil - longestPauseMs
    if (!isAnsweredByList(charge, now) || from < now - longestMs || isPaused) return undefined
    let until = answered(lists, charge, from, now)
    if (until === undefined) {
      lists.wanted = { from: Math.min(lists.wanted.from, from), checks: lists.wanted.checks + 1 }
      yield* flights(charge.issuer, "", Effect.ensuring(list(charge.issuer), forgetWanted(lists)))
      until = answered(lists, charge, from, yield* Clock.currentTimeMillis)
    }
    // The watch may have ended meanwhile.
    const isLast = until !== undefined && !isAnsweredByList(charge, until)
    return isLast || mayBeUnnamed(lists, charge) ? undefined : until
  })
})

/** Answers the check of an unpaid charge by a list. */
export type RecentLists = Effect.Success<ReturnType<typeof makeRecentLists>>
