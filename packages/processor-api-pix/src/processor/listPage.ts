import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import { paymentsPath, type PaymentsQuery, paymentsQuery } from "../wire/paths.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import { undefinedIfMissing } from "./chargeCalls.ts"

const emptyPage: PspPaymentPage = { payments: [], pages: 1, total: 0 }

/** A page of the payments of a period (`GET /pix`); some banks say of an empty list that it isn't there. */
export const listPage = (client: PspClient, operation: string, asked: Omit<PaymentsQuery, "pageSize">) => {
  const { pageSize, emptyList } = client.profile
  const query = paymentsQuery({ ...asked, pageSize })
  const found = client.call({ operation, method: "GET", path: paymentsPath, query, read: readPaymentPage })
  return emptyList === "page" ? found : Effect.map(undefinedIfMissing(found), (page = emptyPage) => page)
}
