import { Bookkeeping } from "@pixcharge/core"
import { type Charge, isTxidOfAnother } from "@pixcharge/core/charges"
import { type InspectedPayment, logFailure, receivedBy } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { Connections } from "../client/Connections.ts"
import type { PspClient } from "../client/PspClient.ts"
import { findCharge } from "../processor/chargeCalls.ts"
import { orUndefined } from "../processor/refusals.ts"
import { toReceivedPayment } from "../processor/toProcessorView.ts"
import { findCycle } from "../recurrences/lookupCycle.ts"
import { type PspPayment, readPayment } from "../wire/PixBody.ts"
import { logFlaws } from "../wire/Reader.ts"
import type { NoticeClaim } from "../wire/Webhook.ts"
import { paymentPath } from "../wire/paths.ts"
import { makeOtherCompanies } from "./otherCompanies.ts"

/**
 * Whether a string has the form of an endToEndId (Manual de Padrões para Iniciação do Pix). Other strings are neither
 * looked up nor logged.
 */
export const isEndToEndId = (text: string): boolean => /^[a-zA-Z0-9]{32}$/.test(text)

export interface OpenClaim extends Pick<InspectedPayment, "charge" | "isRecorded"> {
  readonly claim: NoticeClaim
}

/** Claims of unpaid charges have their own budget of look-ups. */
export const isAwaited = ({ charge }: OpenClaim): boolean => charge?._tag === "Pending"

/** `settled`: the claim is done. `sendAgain`: the bank must repeat the notice. `notNow`: look-ups must pause. */
export type ClaimOutcome = "settled" | "sendAgain" | "notNow"

export const makeRecordClaim = Effect.gen(function* () {
  const connections = yield* Connections
  const others = yield* makeOtherCompanies
  const books = yield* Bookkeeping

  const record = Effect.fnUntraced(function* (open: OpenClaim, issuer: Cnpj) {
    const { claim, charge, isRecorded } = open
    const { forNotices, forStrays } = yield* connections.forCompany(issuer)
    const client = isAwaited(open) ? forNotices : forStrays
    if (charge === undefined && !isRecorded && client.isForeignTxid(claim.txid)) return "settled"
    const payment = yield* confirmNotice(client, claim, charge)
    if (payment === undefined) {
      yield* Effect.logWarning("The bank doesn't know the payment of a notice", claim.endToEndId)
      return "sendAgain"
    }
    const { txid } = payment
    if (txid !== undefined && isTxidOfAnother(issuer, txid)) {
      yield* others.wake(issuer, [txid])
      return "settled"
    }
    const received = toReceivedPayment(client, issuer, payment)
    const [receiver] = yield* books.receivers(issuer, [received])
    const company = receiver && (yield* Effect.fromResult(receiver))
    if (company !== undefined) yield* books.recordReceivedPayment(receivedBy(company, received), charge)
    yield* logFlaws(`payment ${payment.endToEndId}`, payment.flaws)
    return payment.flaws === undefined ? "settled" : "sendAgain"
  })

  return (open: OpenClaim, issuer: Cnpj): Effect.Effect<ClaimOutcome> =>
    record(open, issuer).pipe(
      // Another company's books already have the payment, so the bank needn't repeat the notice.
      Effect.catchTag("PaymentOfAnotherCompany", (error) =>
        Effect.as(logFailure("Error", "A payment is in another company's books", error), "settled" as const),
      ),
      Effect.catch((error) => {
        const mustWait = error._tag === "ProcessorUnavailable" && error.retryAfterMs !== undefined
        return Effect.as(
          logFailure("Warn", "A notice could not be recorded", error),
          mustWait ? ("notNow" as const) : ("sendAgain" as const),
        )
      }),
    )
})

/** Some banks change upper and lower case in notices. */
const isClaimed = (claim: NoticeClaim, shown: PspPayment): boolean =>
  shown.endToEndId.toLowerCase() === claim.endToEndId.toLowerCase()

const findInCharge = Effect.fnUntraced(function* (client: PspClient, claim: NoticeClaim, charge: Charge) {
  const { txid, cycle, dueDate } = charge
  const known = yield* cycle === undefined ? findCharge(client, txid, dueDate !== undefined) : findCycle(client, txid)
  const payment = known?.payments.find((one) => isClaimed(claim, one))
  return payment && { ...payment, txid }
})

/**
 * Looks up the claimed payment at the bank (`GET /pix/{e2eid}`, or the payments in the charge); undefined if the bank
 * doesn't show it. The notice is no proof, because anyone who finds the URL can send one (decision 37).
 */
const confirmNotice = Effect.fnUntraced(function* (client: PspClient, claim: NoticeClaim, charge: Charge | undefined) {
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
    // A client that can't read payments can still read the charge.
    (refusal) => (charge === undefined ? Effect.fail(refusal) : Effect.succeed(undefined)),
  )
  if (found !== undefined && !isClaimed(claim, found)) return undefined
  if (found?.txid !== undefined || charge === undefined) return found
  return (yield* findInCharge(client, claim, charge)) ?? found
})
