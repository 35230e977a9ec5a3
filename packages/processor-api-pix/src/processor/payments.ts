import type { PaymentPage, PaymentSearch, Period } from "@pixcharge/core"
import type { PaymentNotice } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { askByBankClock, type BankPeriod } from "../client/BankClock.ts"
import type { PspClient } from "../client/PspClient.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import { logFlaws } from "../wire/Reader.ts"
import { type PaymentsQuery, paymentsQuery } from "../wire/lists.ts"
import { paymentsPath } from "../wire/paths.ts"
import {
  brasiliaBehindMs,
  type ListPlace,
  listWindow,
  makeFirstPlace,
  readPage,
  readPlace,
  roundedMs,
  writeCursor,
} from "./ListPlace.ts"
import { failUnavailable, orUndefined } from "./refusals.ts"
import { toReceivedPayment } from "./toProcessorView.ts"

const byTime = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

/**
 * Excludes payments just outside the period, because the list of the neighbouring period has them. Keeps payments far
 * outside, because a bank's lists can follow another clock than its answers.
 */
const isListedFor = (paidAt: number, { from, until }: Period, profile: PspWays): boolean => {
  const besideMs = earlierMs(profile) + roundedMs
  return paidAt < from ? paidAt < from - besideMs : paidAt < until || paidAt >= until + besideMs
}

interface PageOrder extends Pick<PaymentSearch, "isReturned"> {
  readonly issuer: Cnpj
  readonly cursor: string | undefined
}

const listPayments = Effect.fnUntraced(function* (
  client: PspClient,
  { issuer, isReturned, cursor }: PageOrder,
  { from, until, latest }: BankPeriod,
) {
  const place = cursor === undefined ? makeFirstPlace(from, client.profile) : readPlace(cursor)
  const { since } = place
  // The future has no payments. The bank's first answer shows its clock, and so whether this period is in the future.
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
    .toSorted(byTime)
  const following = next ?? afterPart
  yield* logFlaws("list of payments", flaws)
  return {
    items,
    ...(following !== undefined && { cursor: writeCursor(following) }),
    ...(flaws.length > 0 && { unreadable: flaws.length }),
  } satisfies PaymentPage
})

/**
 * Reads one page of a period's payments with their returns (`GET /pix?inicio&fim`), in order of time.
 *
 * Drops payments just outside the period. A payment can appear on two pages if the list changes meanwhile. A period
 * longer than the bank's maximum is read in parts. Unreadable payments are counted and logged.
 */
export const payments = (client: PspClient, issuer: Cnpj, search: PaymentSearch, cursor: string | undefined) =>
  askByBankClock(client.clock, search, (period) => listPayments(client, { ...search, issuer, cursor }, period)).pipe(
    Effect.catchTag("PspRefusal", failUnavailable("payments")),
  )

const emptyPage: PspPaymentPage = { payments: [], marks: [], flaws: [], pages: 1, total: 0 }

/** A bank that writes Brasília's time as UTC can also read the period like this, so the period must begin earlier. */
const earlierMs = ({ localInstants }: Pick<PspWays, "localInstants">): number =>
  localInstants.includes("GET payments") ? brasiliaBehindMs : 0

export interface ListedPage extends Pick<PspPaymentPage, "payments" | "flaws"> {
  readonly next?: ListPlace
}

export const listPage = Effect.fnUntraced(function* (
  client: PspClient,
  operation: string,
  search: Omit<PaymentsQuery, "page" | "pageSize">,
  place: ListPlace,
) {
  const { pageSize, emptyList } = client.profile
  const from = search.from - earlierMs(client.profile)
  const query = paymentsQuery({ ...search, from, page: place.page, pageSize })
  const call = client.call({ operation, method: "GET", path: paymentsPath, query, read: readPaymentPage })
  const found = emptyList === "page" ? call : Effect.map(orUndefined(call), (known = emptyPage) => known)
  const { got, next } = yield* readPage(client, place, { operation, found, empty: emptyPage })
  return { payments: got.payments, flaws: got.flaws, ...(next !== undefined && { next }) } satisfies ListedPage
})
