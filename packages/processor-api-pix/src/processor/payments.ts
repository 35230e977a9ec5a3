import type { PaymentPage, PaymentSearch, Period } from "@pixcharge/core"
import type { PaymentNotice } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspWays } from "../PspProfile.ts"
import { askByBankClock, type BankPeriod } from "./askByBankClock.ts"
import { failUnavailable } from "./chargeCalls.ts"
import { earlierMs, listPage } from "./listPage.ts"
import { writeCursor, makeFirstPlace, readPlace } from "./ListPlace.ts"
import { listWindow, roundedMs } from "./listWindow.ts"
import { logFlaws } from "./logFlaws.ts"
import { toReceivedPayment } from "./toProcessorView.ts"

const byMoment = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

/**
 * Whether a listed payment counts for the period. One that the bank dates right beside it is in the list beside, too. One that
 * it dates elsewhere may be in no other: the bank lists by another clock than it shows.
 */
const isListedFor = (paidAt: number, { from, until }: Period, profile: PspWays): boolean => {
  const besideMs = earlierMs(profile) + roundedMs
  return paidAt < from ? paidAt < from - besideMs : paidAt < until || paidAt >= until + besideMs
}

/** What `payments` says, of a period by the bank's clock. */
const listPayments = Effect.fnUntraced(function* (
  client: PspClient,
  issuer: Cnpj,
  { isReturned }: PaymentSearch,
  cursor: string | undefined,
  { from, until, latest }: BankPeriod,
) {
  const place = cursor === undefined ? makeFirstPlace(from, client.profile) : readPlace(cursor)
  const { since } = place
  // What is yet to come is in no list. Whether it is, by the bank's clock, the first answer shows.
  if (since > latest) {
    if (!client.clock.hasAnswered()) yield* listPage(client, "payments", { from: latest, to: latest }, place)
    return { items: [] } satisfies PaymentPage
  }
  const part = listWindow(since, until, client.profile)
  const query = { from: since, to: Math.min(part.to, latest), ...(isReturned && { isReturned }) }
  const { payments: listed, flaws, next } = yield* listPage(client, "payments", query, place)
  const afterPart = part.until < until ? makeFirstPlace(part.until, client.profile) : undefined
  const items = listed
    .map((payment) => toReceivedPayment(client, issuer, payment))
    .filter(({ paidAt }) => isListedFor(paidAt, { from: since, until: part.until }, client.profile))
    .toSorted(byMoment)
  const following = next ?? afterPart
  yield* logFlaws("list of payments", flaws)
  return {
    items,
    ...(following !== undefined && { cursor: writeCursor(following) }),
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
  askByBankClock(client.clock, search, (bankPeriod) => listPayments(client, issuer, search, cursor, bankPeriod)).pipe(
    Effect.catchTag("PspRefusal", failUnavailable("payments")),
  )
