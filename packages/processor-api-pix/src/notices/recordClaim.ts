import { CompanyDirectory, PixCharges } from "@pixcharge/core"
import { type Charge, chargeIdFromTxid } from "@pixcharge/core/charge"
import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Connections } from "../Connections.ts"
import { paymentNotice, settledReturns } from "../processor/processorView.ts"
import type { NoticeClaim } from "../wire/Webhook.ts"
import { confirmNotice } from "./confirmNotice.ts"
import type { NoticePath } from "./readNoticePath.ts"

/** An endToEndId (Manual de Padrões para Iniciação do Pix); nothing else is looked up, or logged. */
const endToEndId = /^[a-zA-Z0-9]{32}$/

const settlingPayment = (charge: Charge | undefined): string | undefined =>
  charge !== undefined && "payment" in charge ? charge.payment.endToEndId : undefined

/**
 * Records the payments that the bank confirms. The effect is true if the claim's payment is recorded now or before, or none
 * of ours; false if the bank is to send it again.
 */
export const makeRecordClaim = Effect.gen(function* () {
  const connections = yield* Connections
  const charges = yield* PixCharges
  const directory = yield* CompanyDirectory

  /** The company that received: the key's, else the one in the path, else the only one. Undefined: none of ours. */
  const findReceiver = Effect.fnUntraced(function* (claim: NoticeClaim, path: NoticePath) {
    if (claim.pixKey !== undefined) {
      const entry = yield* directory.byPixKey(claim.pixKey)
      if (entry !== undefined) return entry.company.cnpj
    }
    const named = path.company ?? (claim.pixKey === undefined ? connections.only : undefined)
    const cnpj = named === undefined ? undefined : parseCnpj(named)
    if (cnpj === undefined || Result.isFailure(cnpj)) return undefined
    return (yield* directory.find(cnpj.success))?.company.cnpj
  })

  const findCharge = (issuer: Cnpj, txid: string | undefined) => {
    const id = txid === undefined ? undefined : chargeIdFromTxid(txid)
    return id === undefined
      ? Effect.succeed(undefined)
      : Effect.catchTag(charges.find(issuer, id), "ChargeNotFound", () => Effect.succeed(undefined))
  }

  const record = Effect.fnUntraced(function* (claim: NoticeClaim, path: NoticePath) {
    if (!endToEndId.test(claim.endToEndId)) return false
    const issuer = yield* findReceiver(claim, path)
    if (issuer === undefined) {
      yield* Effect.logWarning("A notice names no company of ours")
      return true
    }
    const charge = yield* findCharge(issuer, claim.txid)
    if (settlingPayment(charge) === claim.endToEndId && !claim.hasReturns) return true
    const payment = yield* confirmNotice(yield* connections.forCompany(issuer), claim, charge)
    if (payment === undefined) {
      yield* Effect.logWarning("The bank knows nothing of a payment that a notice claims", claim.endToEndId)
      return false
    }
    yield* charges.recordReceivedPayment({
      ...paymentNotice(issuer, payment),
      returns: settledReturns(issuer, payment),
    })
    return true
  })

  return (claim: NoticeClaim, path: NoticePath): Effect.Effect<boolean> =>
    record(claim, path).pipe(
      // It is recorded for the charge that has it: the bank's next call would change nothing.
      Effect.catchTag("PaymentOfAnotherCharge", (error) =>
        Effect.as(Effect.logError("A payment has two charges", error), true),
      ),
      Effect.catch((error) => Effect.as(Effect.logWarning("A notice could not be recorded", error), false)),
    )
})
