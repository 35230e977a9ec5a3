import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspWays } from "../PspProfile.ts"
import { paymentsPath, type PaymentsQuery, paymentsQuery } from "../wire/paths.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import { undefinedIfMissing } from "./chargeCalls.ts"
import { brasiliaBehindMs } from "./listWindow.ts"

const emptyPage: PspPaymentPage = { payments: [], marks: [], flaws: [], pages: 1, total: 0 }

/** A bank that shows Brasília's time as UTC may read a period so, too, or as it is meant: it is asked for so much more. */
export const askedEarlierMs = ({ localInstants }: Pick<PspWays, "localInstants">): number =>
  localInstants.includes("GET payments") ? brasiliaBehindMs : 0

/** A page of the payments of a period (`GET /pix`); some banks say of an empty list that it isn't there. */
export const listPage = (client: PspClient, operation: string, asked: Omit<PaymentsQuery, "pageSize">) => {
  const { pageSize, emptyList } = client.profile
  const from = asked.from - askedEarlierMs(client.profile)
  const query = paymentsQuery({ ...asked, from, pageSize })
  const found = client.call({ operation, method: "GET", path: paymentsPath, query, read: readPaymentPage })
  return emptyList === "page" ? found : Effect.map(undefinedIfMissing(found), (page = emptyPage) => page)
}
