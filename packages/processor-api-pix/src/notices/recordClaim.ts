import { CompanyDirectory, PixCharges } from "@pixcharge/core"
import { type Charge, chargeIdFromTxid } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { Connections } from "../Connections.ts"
import { logFlaws } from "../processor/logFlaws.ts"
import { paymentNotice, settledReturns } from "../processor/processorView.ts"
import type { PspPayment } from "../wire/PixBody.ts"
import type { NoticeClaim } from "../wire/Webhook.ts"
import { confirmNotice } from "./confirmNotice.ts"
import { logFailure } from "@pixcharge/core/telemetry"

/** An endToEndId (Manual de Padrões para Iniciação do Pix); nothing else is looked up, or logged. */
const endToEndId = /^[a-zA-Z0-9]{32}$/

/**
 * What became of a claim: its payment is recorded, now or before; or the bank is to send it again, perhaps because nothing
 * can be looked up for a while.
 */
export type ClaimOutcome = "settled" | "sendAgain" | "notNow"

const settlingPayment = (charge: Charge | undefined): string | undefined =>
  charge !== undefined && "payment" in charge ? charge.payment.endToEndId : undefined

/** Records the payments that the bank of a company of ours confirms. */
export const makeRecordClaim = Effect.gen(function* () {
  const connections = yield* Connections
  const charges = yield* PixCharges
  const directory = yield* CompanyDirectory

  const findCharge = (issuer: Cnpj, txid: string | undefined) => {
    const id = txid === undefined ? undefined : chargeIdFromTxid(txid)
    return id === undefined
      ? Effect.succeed(undefined)
      : Effect.catchTag(charges.find(issuer, id), "ChargeNotFound", () => Effect.succeed(undefined))
  }

  /**
   * Companies may share an account: then the key in the bank's answer says whose payment it is. One for a charge of the
   * company's own is its own, whoever has the charge's key by now.
   */
  const findReceiver = Effect.fnUntraced(function* (issuer: Cnpj, { pixKey, txid }: PspPayment) {
    const entry = pixKey === undefined ? undefined : yield* directory.byPixKey(pixKey)
    if (entry === undefined || entry.company.cnpj === issuer) return issuer
    return (yield* findCharge(issuer, txid)) === undefined ? entry.company.cnpj : issuer
  })

  const record = Effect.fnUntraced(function* (claim: NoticeClaim, issuer: Cnpj) {
    if (!endToEndId.test(claim.endToEndId)) return "sendAgain"
    const charge = yield* findCharge(issuer, claim.txid)
    if (settlingPayment(charge) === claim.endToEndId && !claim.hasReturns) return "settled"
    const { forNotices } = yield* connections.forCompany(issuer)
    const payment = yield* confirmNotice(forNotices, claim, charge)
    if (payment === undefined) {
      yield* Effect.logWarning("The bank knows nothing of a payment that a notice claims", claim.endToEndId)
      return "sendAgain"
    }
    const receiver = yield* findReceiver(issuer, payment)
    yield* charges.recordReceivedPayment({
      ...paymentNotice(receiver, payment),
      returns: settledReturns(receiver, payment),
    })
    yield* logFlaws(`payment ${payment.endToEndId}`, payment.flaws)
    return payment.flaws === undefined ? "settled" : "sendAgain"
  })

  return (claim: NoticeClaim, issuer: Cnpj): Effect.Effect<ClaimOutcome> =>
    record(claim, issuer).pipe(
      // It is recorded for the charge that has it: the bank's next call would change nothing.
      Effect.catchTag("PaymentOfAnotherCharge", (error) =>
        Effect.as(logFailure("Error", "A payment has two charges", error), "settled" as const),
      ),
      Effect.catch((error) => {
        const isAskedToWait = error._tag === "ProcessorUnavailable" && error.retryAfterMs !== undefined
        return Effect.as(
          logFailure("Warn", "A notice could not be recorded", error),
          isAskedToWait ? ("notNow" as const) : ("sendAgain" as const),
        )
      }),
    )
})
