import type { ProcessorView } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import { paymentsPath, paymentsQuery } from "../wire/paths.ts"
import { readPaymentPage } from "../wire/PixBody.ts"
import { failUnavailable, findCharge } from "./chargeCalls.ts"
import { logFlaws } from "./logFlaws.ts"
import { processorView } from "./processorView.ts"

const unknown: ProcessorView = { status: "unknown", payments: [], returns: [] }

/** The bank's clock may run ahead of ours. */
const clockSkewMs = 60_000

/** Some banks say that a charge is paid and leave the payments out: then the list of payments has them. */
const withPayments = Effect.fnUntraced(function* (client: PspClient, { txid, createdAt }: Charge, known: PspCharge) {
  if (known.status !== "completed" || known.payments.length > 0) return known
  const { payments, flaws } = yield* client.call({
    operation: "lookup",
    method: "GET",
    path: paymentsPath,
    query: paymentsQuery({
      from: createdAt,
      to: (yield* Clock.currentTimeMillis) + clockSkewMs,
      txid,
      page: 0,
      pageSize: client.profile.pageSize,
    }),
    read: readPaymentPage,
  })
  yield* logFlaws(`list of payments for charge ${txid}`, flaws)
  return { ...known, payments: payments.filter((payment) => payment.txid?.toLowerCase() === txid) }
})

/** The charge with its payments and settled returns (`GET /cob/{txid}`, `GET /cobv/{txid}`). */
export const lookup = Effect.fnUntraced(
  function* (client: PspClient, charge: Charge) {
    const known = yield* findCharge(client, charge.txid, charge.dueDate !== undefined)
    if (known === undefined) return unknown
    yield* logFlaws(`charge ${charge.txid}`, known.flaws)
    return processorView(charge, yield* withPayments(client, charge, known))
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookup")),
)
