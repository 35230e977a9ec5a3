import { ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspWays } from "../PspProfile.ts"
import { paymentsPath, type PaymentsQuery, paymentsQuery } from "../wire/paths.ts"
import type { CountedPage } from "../wire/CountedPage.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { orUndefined } from "./chargeCalls.ts"
import { isRepeated, type ListPlace, findNextPlace } from "./ListPlace.ts"
import { brasiliaBehindMs } from "./listWindow.ts"

const emptyPage: PspPaymentPage = { payments: [], marks: [], flaws: [], pages: 1, total: 0 }

/** How much earlier a requested period begins: a bank that shows Brasília's time as UTC may read the period in the same way. */
export const earlierMs = ({ localInstants }: Pick<PspWays, "localInstants">): number =>
  localInstants.includes("GET payments") ? brasiliaBehindMs : 0

/** The statuses with which banks refuse a page beyond the last one. */
const noSuchPage = new Set([400, 404, 410, 422])

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
  operation: string,
  place: ListPlace,
  found: Effect.Effect<Page, ProcessorUnavailable | PspRefusal>,
  empty: Page,
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

/** The payments that a page adds to the pages before it, and the place of the next page, if there is one. */
export interface ListedPage extends Pick<PspPaymentPage, "payments" | "flaws"> {
  readonly next?: ListPlace
}

/** Reads a page of the payments of a period (`GET /pix`), as `readPage` does; some banks answer 404 for an empty list. */
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
  const { got, next } = yield* readPage(client, operation, place, found, emptyPage)
  const { payments, flaws } = got
  return { payments, flaws, ...(next !== undefined && { next }) } satisfies ListedPage
})
