import { CompanyDirectory, type Exchange, PaymentNotices, PixCharges, type Reply } from "@pixcharge/core"
import { type Charge, chargeIdOf } from "@pixcharge/core/charge"
import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Connections } from "../Connections.ts"
import { paymentNotice, settledReturns } from "../processor/processorView.ts"
import { type NoticeClaim, readNotice } from "../wire/Webhook.ts"
import { confirmNotice } from "./confirmNotice.ts"
import { readBody } from "./readBody.ts"
import { type NoticePath, readNoticePath } from "./noticePath.ts"

const maxConcurrency = 5
/** Each claim costs a call to the bank: one notice may cause so many. */
const maxClaims = 1000
/** An endToEndId (Manual de Padrões para Iniciação do Pix); nothing else is looked up, or logged. */
const endToEndId = /^[a-zA-Z0-9]{32}$/

const reply = (status: number, headers: Reply["headers"] = {}): Reply => ({ status, headers, body: "" })

const accepted = reply(200)
/** So the bank calls again. */
const retryLater = reply(503, { "retry-after": "30" })

const settlingPayment = (charge: Charge | undefined): string | undefined =>
  charge !== undefined && "payment" in charge ? charge.payment.endToEndId : undefined

/** One claim for each payment: one with returns, if the notice has it. */
const distinct = (claims: ReadonlyArray<NoticeClaim>): ReadonlyArray<NoticeClaim> => {
  const byId = new Map<string, NoticeClaim>()
  for (const claim of claims) {
    if (claim.hasReturns || !byId.has(claim.endToEndId)) byId.set(claim.endToEndId, claim)
  }
  return [...byId.values()]
}

const make = (path: string) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const charges = yield* PixCharges
    const directory = yield* CompanyDirectory

    /** The company that received: the key's, else the path's, else the only one. Undefined: none of ours. */
    const findCompany = Effect.fnUntraced(function* (claim: NoticeClaim, noticePath: NoticePath) {
      if (claim.pixKey !== undefined) {
        const entry = yield* directory.byPixKey(claim.pixKey)
        if (entry !== undefined) return entry.company.cnpj
      }
      const named = noticePath.company ?? (claim.pixKey === undefined ? connections.only : undefined)
      const cnpj = named === undefined ? undefined : parseCnpj(named)
      if (cnpj === undefined || Result.isFailure(cnpj)) return undefined
      return (yield* directory.find(cnpj.success))?.company.cnpj
    })

    const findOurs = (issuer: Cnpj, txid: string | undefined) => {
      const id = txid === undefined ? undefined : chargeIdOf(txid)
      return id === undefined
        ? Effect.succeed(undefined)
        : Effect.catchTag(charges.find(issuer, id), "ChargeNotFound", () => Effect.succeed(undefined))
    }

    /** True if nothing is left to do: recorded now or before, or none of ours. */
    const recordClaim = Effect.fnUntraced(function* (claim: NoticeClaim, noticePath: NoticePath) {
      if (!endToEndId.test(claim.endToEndId)) return false
      const issuer = yield* findCompany(claim, noticePath)
      if (issuer === undefined) {
        yield* Effect.logWarning("A notice names no company of ours")
        return true
      }
      const charge = yield* findOurs(issuer, claim.txid)
      if (settlingPayment(charge) === claim.endToEndId && !claim.hasReturns) return true
      const payment = yield* confirmNotice(yield* connections.forCompany(issuer), claim, charge)
      if (payment === undefined) {
        yield* Effect.logWarning("The bank knows nothing of a payment that a notice claims", claim.endToEndId)
        return false
      }
      yield* charges.recordReceived({ ...paymentNotice(issuer, payment), returns: settledReturns(issuer, payment) })
      return true
    })

    const recordOrLog = (claim: NoticeClaim, noticePath: NoticePath) =>
      recordClaim(claim, noticePath).pipe(
        // It is recorded for the charge that has it: the bank's next call would change nothing.
        Effect.catchTag("PaymentOfAnotherCharge", (error) =>
          Effect.as(Effect.logError("A payment has two charges", error), true),
        ),
        Effect.catch((error) => Effect.as(Effect.logWarning("A notice could not be recorded", error), false)),
      )

    const handle = Effect.fnUntraced(function* (exchange: Exchange) {
      const noticePath = readNoticePath(path, exchange.url)
      if (noticePath === undefined) return reply(404)
      if (exchange.method !== "POST") return reply(405, { allow: "POST" })
      const body = yield* readBody(exchange)
      if (Result.isFailure(body)) return reply(body.failure)
      const claims = readNotice(body.success)
      if (Result.isFailure(claims)) return reply(400)
      const readable = claims.success.filter((claim) => claim !== undefined)
      const asked = distinct(readable)
      if (asked.length > maxClaims) return reply(413)
      const settled = yield* Effect.forEach(asked, (claim) => recordOrLog(claim, noticePath), {
        concurrency: maxConcurrency,
      })
      if (!settled.every(Boolean)) return retryLater
      return readable.length < claims.success.length ? reply(400) : accepted
    })

    return PaymentNotices.of({ path, handle: (exchange) => Effect.withSpan(handle(exchange), "ApiPix.notice") })
  })

/** The route that the bank calls, below `path`. */
export const apiPixNoticesLayer = (
  path: string,
): Layer.Layer<PaymentNotices, never, Connections | PixCharges | CompanyDirectory> =>
  Layer.effect(PaymentNotices, make(path))
