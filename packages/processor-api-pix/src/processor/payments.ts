import { hash } from "node:crypto"
import { type PaymentPage, type PaymentSearch, type Period, ProcessorUnavailable } from "@pixcharge/core"
import type { PaymentNotice } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspWays } from "../PspProfile.ts"
import type { PspPaymentPage } from "../wire/PixBody.ts"
import { askByBankClock, type BankPeriod } from "./askByBankClock.ts"
import { failUnavailable } from "./chargeCalls.ts"
import { askedEarlierMs, listPage } from "./listPage.ts"
import { listWindow, roundedMs } from "./listWindow.ts"
import { logFlaws } from "./logFlaws.ts"
import { receivedPayment } from "./processorView.ts"

const byMoment = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

/** Where a list goes on, and what shows whether it has changed or repeats itself. */
interface Place {
  /** Where the part of the period begins that is being listed. */
  readonly since: number
  readonly page: number
  /** The smallest number of payments that the bank has counted so far. */
  readonly leastTotal: number
  /** What the page before held, as a digest; empty on the first. */
  readonly before: string
}

const firstPlace = (since: number): Place => ({ since, page: 0, leastTotal: Infinity, before: "" })

const readPlace = (cursor: string): Place => {
  const [since, page, leastTotal = "", before = ""] = cursor.split(".")
  return {
    since: Number(since),
    page: Number(page),
    leastTotal: leastTotal === "" ? Infinity : Number(leastTotal),
    before,
  }
}

const cursorAt = ({ since, page, leastTotal, before }: Place): string =>
  `${since}.${page}.${leastTotal === Infinity ? "" : leastTotal}.${before}`

const digest = ({ marks }: PspPaymentPage): string => hash("sha256", marks.toSorted().join()).slice(0, 16)

/**
 * Where to go on after a page of a part of the period; undefined after the last. A bank cuts the pages anew for every call: when the list loses
 * payments while it is read, the rest moves to earlier pages, and as many pages are read again.
 */
const pageAfter = (place: Place, got: PspPaymentPage): Place | undefined => {
  const { marks, pages, total } = got
  const { since, page, leastTotal } = place
  const next = { since, leastTotal: Math.min(leastTotal, total ?? Infinity), before: digest(got) }
  // The smallest count only falls: so the reading ends even if the bank's counts go up and down.
  if (page > 0 && total !== undefined && total < leastTotal && leastTotal !== Infinity) {
    return { ...next, page: Math.max(0, page - (leastTotal - total)) }
  }
  // A bank that doesn't say how many pages there are may cut them smaller than it was asked to: only an empty one is the last.
  return marks.length === 0 || page + 1 >= (pages ?? Infinity) ? undefined : { ...next, page: page + 1 }
}

/**
 * Whether a listed payment counts for the period. One that the bank dates right beside it is in the list beside, too. One that
 * it dates elsewhere may be in no other: the bank lists by another clock than it shows.
 */
const isListedFor = (paidAt: number, { from, until }: Period, profile: PspWays): boolean => {
  const besideMs = askedEarlierMs(profile) + roundedMs
  return paidAt < from ? paidAt < from - besideMs : paidAt < until || paidAt >= until + besideMs
}

/** What `payments` says, of a period by the bank's clock. */
const paymentsWithin = Effect.fnUntraced(function* (
  client: PspClient,
  issuer: Cnpj,
  { isReturned }: PaymentSearch,
  cursor: string | undefined,
  { from, until, latest }: BankPeriod,
) {
  const place = cursor === undefined ? firstPlace(from) : readPlace(cursor)
  const { since } = place
  // What is yet to come is in no list.
  if (since > latest) return { items: [] } satisfies PaymentPage
  const part = listWindow(since, until, client.profile)
  const to = Math.min(part.to, latest)
  const asked = { from: since, to, page: place.page, ...(isReturned && { isReturned }) }
  const got = yield* listPage(client, "payments", asked)
  const afterPart = part.until < until ? firstPlace(part.until) : undefined
  const isRepeated = got.marks.length > 0 && digest(got) === place.before
  if (isRepeated && got.pages !== undefined) {
    const cause = `the bank answers page ${place.page} with the page before`
    return yield* new ProcessorUnavailable({ operation: "payments", cause })
  }
  const items = got.payments
    .map((payment) => receivedPayment(issuer, payment))
    .filter(({ paidAt }) => isListedFor(paidAt, { from: since, until: part.until }, client.profile))
    .toSorted(byMoment)
  // A bank that counts no pages and repeats one has given all at once.
  const next = (isRepeated ? undefined : pageAfter(place, got)) ?? afterPart
  const flaws = isRepeated ? [] : got.flaws
  yield* logFlaws("list of payments", flaws)
  return {
    items: isRepeated ? [] : items,
    ...(next !== undefined && { cursor: cursorAt(next) }),
    ...(flaws.length > 0 && { unreadable: flaws.length }),
  } satisfies PaymentPage
})

/**
 * The payments of a period with their returns, page by page as the bank cuts them (`GET /pix?inicio&fim`), each page
 * ordered by time. The bank's period is in whole seconds: payments right beside ours are left out. A payment may come on two
 * pages if the list changes meanwhile. A period that is longer than the bank lists in one is read part by part. What can't
 * be read spoils nothing else: it is counted, and told in the log.
 */
export const payments = (client: PspClient, issuer: Cnpj, search: PaymentSearch, cursor: string | undefined) =>
  askByBankClock(client.clock, search, (asked) => paymentsWithin(client, issuer, search, cursor, asked)).pipe(
    Effect.catchTag("PspRefusal", failUnavailable("payments")),
  )
