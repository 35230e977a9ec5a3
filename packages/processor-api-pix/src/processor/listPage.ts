import { ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspWays } from "../PspProfile.ts"
import { paymentsPath, type PaymentsQuery, paymentsQuery } from "../wire/paths.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import { orUndefined } from "./chargeCalls.ts"
import { isRepeated, type ListPlace, findNextPlace } from "./ListPlace.ts"
import { brasiliaBehindMs } from "./listWindow.ts"

const emptyPage: PspPaymentPage = { payments: [], marks: [], flaws: [], pages: 1, total: 0 }

/** How much earlier a requested period begins: a bank that shows Brasília's time as UTC may read the period in the same way. */
export const earlierMs = ({ localInstants }: Pick<PspWays, "localInstants">): number =>
  localInstants.includes("GET payments") ? brasiliaBehindMs : 0

/** The statuses with which banks refuse a page beyond the last one. */
const noSuchPage = new Set([400, 404, 410, 422])

/** The payments that a page adds to the pages before it, and the place of the next page, if there is one. */
export interface ListedPage extends Pick<PspPaymentPage, "payments" | "flaws"> {
  readonly next?: ListPlace
}

/**
 * Reads a page of the payments of a period (`GET /pix`); some banks answer 404 for an empty list. Fails with
 * `ProcessorUnavailable` if the bank repeats a page in place of the next, or the list doesn't end.
 */
export const listPage = Effect.fnUntraced(function* (
  client: PspClient,
  operation: string,
  search: Omit<PaymentsQuery, "page" | "pageSize">,
  place: ListPlace,
) {
  const { pageSize, emptyList } = client.profile
  const { page, isBeyond } = place
  const from = search.from - earlierMs(client.profile)
  const query = paymentsQuery({ ...search, from, page, pageSize })
  const found = client.call({ operation, method: "GET", path: paymentsPath, query, read: readPaymentPage })
  const got = yield* Effect.catchTag(
    emptyList === "page" ? found : Effect.map(orUndefined(found), (known = emptyPage) => known),
    "PspRefusal",
    (refusal) => (isBeyond && noSuchPage.has(refusal.status) ? Effect.succeed(emptyPage) : Effect.fail(refusal)),
  )
  const next = yield* Effect.mapError(
    Effect.fromResult(findNextPlace(place, got, pageSize)),
    (cause) => new ProcessorUnavailable({ operation, cause }),
  )
  const { payments, flaws } = isRepeated(place, got) ? emptyPage : got
  return { payments, flaws, ...(next !== undefined && { next }) } satisfies ListedPage
})
