import { hash } from "node:crypto"
import { type PaymentPage, type PaymentSearch, ProcessorUnavailable } from "@pixcharge/core"
import type { PaymentNotice } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import { paymentsPath, paymentsQuery } from "../wire/paths.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import { failUnavailable } from "./chargeCalls.ts"
import { logFlaws } from "./logFlaws.ts"
import { receivedPayment } from "./processorView.ts"

const byMoment = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

/** Where a list goes on, and what shows whether it has changed or repeats itself. */
interface Place {
  readonly page: number
  /** The smallest number of payments that the bank has counted so far. */
  readonly leastTotal: number
  /** What the page before held, as a digest; empty on the first. */
  readonly before: string
}

const readPlace = (cursor = "0"): Place => {
  const [page, leastTotal = "", before = ""] = cursor.split(".")
  return { page: Number(page), leastTotal: leastTotal === "" ? Infinity : Number(leastTotal), before }
}

const cursorAt = ({ page, leastTotal, before }: Place): string =>
  `${page}.${leastTotal === Infinity ? "" : leastTotal}.${before}`

const digest = ({ marks }: PspPaymentPage): string => hash("sha256", marks.toSorted().join()).slice(0, 16)

/**
 * Where to go on after a page; undefined after the last. A bank cuts the pages anew for every call: when the list loses
 * payments while it is read, the rest moves to earlier pages, and as many pages are read again.
 */
const placeAfter = ({ page, leastTotal }: Place, got: PspPaymentPage): Place | undefined => {
  const { marks, pages, total } = got
  const next = { leastTotal: Math.min(leastTotal, total ?? Infinity), before: digest(got) }
  // The smallest count only falls: so the reading ends even if the bank's counts go up and down.
  if (page > 0 && total !== undefined && total < leastTotal && leastTotal !== Infinity) {
    return { ...next, page: Math.max(0, page - (leastTotal - total)) }
  }
  // A bank that doesn't say how many pages there are may cut them smaller than it was asked to: only an empty one is the last.
  return marks.length === 0 || page + 1 >= (pages ?? Infinity) ? undefined : { ...next, page: page + 1 }
}

/**
 * The payments of a period with their returns, page by page as the bank cuts them (`GET /pix?inicio&fim`), each page
 * ordered by time. The bank's period is in whole seconds: payments beyond ours are left out. A payment may come on two
 * pages if the list changes meanwhile. What can't be read spoils nothing else: it is counted, and told in the log.
 */
export const payments = Effect.fnUntraced(
  function* (client: PspClient, issuer: Cnpj, { from, until, isReturned }: PaymentSearch, cursor: string | undefined) {
    const place = readPlace(cursor)
    const got = yield* client.call({
      operation: "payments",
      method: "GET",
      path: paymentsPath,
      query: paymentsQuery({
        from,
        to: until + 999,
        page: place.page,
        pageSize: client.profile.pageSize,
        ...(isReturned && { isReturned }),
      }),
      read: readPaymentPage,
    })
    if (got.marks.length > 0 && digest(got) === place.before) {
      // A bank that counts no pages has given all at once; one that counts them keeps the others from us.
      if (got.pages === undefined) return { items: [] } satisfies PaymentPage
      const cause = `the bank answers page ${place.page} with the page before`
      return yield* new ProcessorUnavailable({ operation: "payments", cause })
    }
    const items = got.payments
      .map((payment) => receivedPayment(issuer, payment))
      .filter(({ paidAt }) => paidAt >= from && paidAt < until)
      .toSorted(byMoment)
    const next = placeAfter(place, got)
    yield* logFlaws("list of payments", got.flaws)
    return {
      items,
      ...(next !== undefined && { cursor: cursorAt(next) }),
      ...(got.flaws.length > 0 && { unreadable: got.flaws.length }),
    } satisfies PaymentPage
  },
  Effect.catchTag("PspRefusal", failUnavailable("payments")),
)
