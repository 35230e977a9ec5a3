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

/** An endToEndId (Manual de Padrões para Iniciação do Pix); nothing else is looked up, or logged. */
export const isEndToEndId = (text: string): boolean => /^[a-zA-Z0-9]{32}$/.test(text)

/** A claim to be looked up. */
export interface OpenClaim extends Pick<InspectedPayment, "charge" | "isRecorded"> {
  readonly claim: NoticeClaim
}

/** Whether it names an open charge of ours; what does not can't use up the look-ups of what does. */
export const isAwaited = ({ charge }: OpenClaim): boolean => charge?._tag === "Pending"

/**
 * What became of a claim: its payment is recorded, now or before, or the bank must send it again; with `notNow`, nothing can
 * be looked up for a while.
 */
export type ClaimOutcome = "settled" | "sendAgain" | "notNow"

/** Records the payments that the bank of a company of ours confirms. */
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
      yield* Effect.logWarning("The bank knows nothing of a payment that a notice claims", claim.endToEndId)
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
      // Another company's books have it already: the bank's next call would change nothing.
      Effect.catchTag("PaymentOfAnotherCompany", (error) =>
        Effect.as(logFailure("Error", "A payment is in the books elsewhere", error), "settled" as const),
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
    // Without the right to read payments, the charge may still be read.
    (refusal) => (charge === undefined ? Effect.fail(refusal) : Effect.succeed(undefined)),
  )
  if (found !== undefined && !isClaimed(claim, found)) return undefined
  if (found?.txid !== undefined || charge === undefined) return found
  return (yield* findInCharge(client, claim, charge)) ?? found
})
