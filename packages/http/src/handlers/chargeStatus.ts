import {
  type Charge,
  type ChargeId,
  type Cnpj,
  type CompanyDirectory,
  isExpired,
  type PixCharges,
} from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { failureReply, jsonReply } from "../wire/Envelope.ts"
import { chargeFailures, type Failure } from "../wire/messages.ts"
import { statusBody } from "../wire/StatusBody.ts"

/** What the caller learns of a charge that is not paid; `now` in epoch milliseconds. */
const unpaidFailure = (charge: Exclude<Charge, { _tag: "Paid" }>, now: number): Failure => {
  switch (charge._tag) {
    case "Pending":
      return isExpired(charge, now) ? chargeFailures.expired : chargeFailures.pending
    case "Refunding":
      return chargeFailures.refunding
    case "Refunded":
      return chargeFailures.refunded
    case "Cancelled":
      return chargeFailures.cancelled
  }
}

/** The payment of a charge with its receipts, or why there is none. */
export const chargeStatus = (charges: PixCharges["Service"], directory: CompanyDirectory["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
    const charge = yield* charges.find(issuer, id)
    if (charge._tag !== "Paid") return failureReply(unpaidFailure(charge, yield* Clock.currentTimeMillis))
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return failureReply(chargeFailures.notFound)
    return jsonReply(200, statusBody(charge, entry.company))
  })
