import { type Page, type Period, ProcessorUnavailable } from "@pixcharge/core"
import type { PaymentNotice } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import { paymentsPath, paymentsQuery } from "../wire/paths.ts"
import { type PspPaymentPage, readPaymentPage } from "../wire/PixBody.ts"
import { instantText } from "./instantText.ts"
import { noticeOf } from "./viewOf.ts"

const byMoment = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

const isLast = ({ payments, pages }: PspPaymentPage, page: number, pageSize: number): boolean =>
  payments.length === 0 || (pages === undefined ? payments.length < pageSize : page + 1 >= pages)

/**
 * The payments of a period, page by page as the bank cuts them (`GET /pix?inicio&fim`), each page in the order of time.
 * The bank's period ends with its last second: what lies beyond ours is left out.
 */
export const payments = Effect.fnUntraced(
  function* (client: PspClient, issuer: Cnpj, period: Period, cursor: string | undefined) {
    const page = Number(cursor ?? "0")
    const { pageSize } = client.profile
    const got = yield* client.call({
      operation: "payments",
      method: "GET",
      path: paymentsPath,
      query: paymentsQuery({ from: instantText(period.from), to: instantText(period.until + 999), page, pageSize }),
      read: readPaymentPage,
    })
    const items = got.payments
      .map((payment) => noticeOf(issuer, payment))
      .filter(({ paidAt }) => paidAt >= period.from && paidAt < period.until)
      .toSorted(byMoment)
    return isLast(got, page, pageSize) ? { items } : ({ items, cursor: String(page + 1) } satisfies Page<PaymentNotice>)
  },
  Effect.catchTag("PspRefusal", (cause) => Effect.fail(new ProcessorUnavailable({ operation: "payments", cause }))),
)
