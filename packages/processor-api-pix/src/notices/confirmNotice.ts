import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import { findCharge, orUndefined } from "../processor/chargeCalls.ts"
import { findCycle } from "../processor/recurrences/cycleCalls.ts"
import { paymentPath } from "../wire/paths.ts"
import { type PspPayment, readPayment } from "../wire/PixBody.ts"
import type { NoticeClaim } from "../wire/Webhook.ts"

/** Some banks write an id in another case in their notices. */
const isClaimed = (claim: NoticeClaim, shown: PspPayment): boolean =>
  shown.endToEndId.toLowerCase() === claim.endToEndId.toLowerCase()

/** The payment among those of the charge that it names. */
const findInCharge = Effect.fnUntraced(function* (client: PspClient, claim: NoticeClaim, charge: Charge) {
  const { txid, cycle, dueDate } = charge
  const known = yield* cycle === undefined ? findCharge(client, txid, dueDate !== undefined) : findCycle(client, txid)
  const payment = known?.payments.find((one) => isClaimed(claim, one))
  return payment && { ...payment, txid }
})

/**
 * The payment that a notice claims, as the bank shows it (`GET /pix/{e2eid}`, or else the charge's own list); undefined if
 * it shows none. The notice itself proves nothing: anybody who finds the URL can send one (decision 37).
 */
export const confirmNotice = Effect.fnUntraced(function* (
  client: PspClient,
  claim: NoticeClaim,
  charge: Charge | undefined,
) {
  const found: PspPayment | undefined = yield* Effect.catchTag(
    orUndefined(
      client.call({
        operation: "confirm",
        method: "GET",
        path: paymentPath(claim.endToEndId),
        read: readPayment,
        mayBeMissing: true,
      }),
    ),
    "PspRefusal",
    // Without the right to read payments, the charge may still be read.
    (refusal) => (charge === undefined ? Effect.fail(refusal) : Effect.succeed(undefined)),
  )
  if (found !== undefined && !isClaimed(claim, found)) return undefined
  if (found?.txid !== undefined || charge === undefined) return found
  return (yield* findInCharge(client, claim, charge)) ?? found
})
