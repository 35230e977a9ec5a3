import { CompanyDirectory, type Exchange, PaymentNotices, PixCharges, type Reply } from "@pixcharge/core"
import { type Charge, chargeIdFromTxid } from "@pixcharge/core/charge"
import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Connections } from "../Connections.ts"
import { noticeOf, returnsOf } from "../processor/viewOf.ts"
import { type NoticeClaim, readNotice } from "../wire/Webhook.ts"
import { confirm } from "./confirm.ts"
import { readBody } from "./readBody.ts"
import { type NotedPath, readNotedPath } from "./notedPath.ts"

const mostAtOnce = 5
/** Each claim costs a call to the bank: nobody may order more of them at a time. */
const mostClaims = 1000
/** An endToEndId (Manual de Padrões para Iniciação do Pix); nothing else is asked for, or logged. */
const endToEndId = /^[a-zA-Z0-9]{32}$/

const reply = (status: number, headers: Reply["headers"] = {}): Reply => ({ status, headers, body: "" })

const accepted = reply(200)
/** The bank calls again. */
const comeAgain = reply(503, { "retry-after": "30" })

const settledBy = (charge: Charge | undefined): string | undefined =>
  charge !== undefined && "payment" in charge ? charge.payment.endToEndId : undefined

/** Each payment once, however often one call names it; a mention with returns counts for more. */
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

    /** The company that received: the key's, else the one in the path, else the only one. Undefined: none of ours. */
    const companyOf = Effect.fnUntraced(function* (claim: NoticeClaim, noted: NotedPath) {
      if (claim.pixKey !== undefined) {
        const entry = yield* directory.byPixKey(claim.pixKey)
        if (entry !== undefined) return entry.company.cnpj
      }
      const named = noted.company ?? (claim.pixKey === undefined ? connections.only : undefined)
      const cnpj = named === undefined ? undefined : parseCnpj(named)
      if (cnpj === undefined || Result.isFailure(cnpj)) return undefined
      return (yield* directory.find(cnpj.success))?.company.cnpj
    })

    const findOurs = (issuer: Cnpj, txid: string | undefined) => {
      const id = txid === undefined ? undefined : chargeIdFromTxid(txid)
      return id === undefined
        ? Effect.succeed(undefined)
        : Effect.catchTag(charges.find(issuer, id), "ChargeNotFound", () => Effect.succeed(undefined))
    }

    /** True once the claim is settled: recorded, known before, or none of ours. */
    const take = Effect.fnUntraced(function* (claim: NoticeClaim, noted: NotedPath) {
      if (!endToEndId.test(claim.endToEndId)) return false
      const issuer = yield* companyOf(claim, noted)
      if (issuer === undefined) {
        yield* Effect.logWarning("A notice names no company of ours")
        return true
      }
      const charge = yield* findOurs(issuer, claim.txid)
      if (settledBy(charge) === claim.endToEndId && !claim.hasReturns) return true
      const payment = yield* confirm(yield* connections.of(issuer), claim, charge)
      if (payment === undefined) {
        yield* Effect.logWarning("The bank knows nothing of a payment that a notice claims", claim.endToEndId)
        return false
      }
      yield* charges.recordReceivedPayment({ ...noticeOf(issuer, payment), returns: returnsOf(issuer, payment) })
      return true
    })

    const takeSafely = (claim: NoticeClaim, noted: NotedPath) =>
      take(claim, noted).pipe(
        // Recorded for the charge that has it: asking again would change nothing.
        Effect.catchTag("PaymentOfAnotherCharge", (error) =>
          Effect.as(Effect.logError("A payment has two charges", error), true),
        ),
        Effect.catch((error) => Effect.as(Effect.logWarning("A notice could not be recorded", error), false)),
      )

    const handle = Effect.fnUntraced(function* (exchange: Exchange) {
      const noted = readNotedPath(path, exchange.url)
      if (noted === undefined) return reply(404)
      if (exchange.method !== "POST") return reply(405, { allow: "POST" })
      const body = yield* readBody(exchange)
      if (Result.isFailure(body)) return reply(body.failure)
      const claims = readNotice(body.success)
      if (Result.isFailure(claims)) return reply(400)
      const readable = claims.success.filter((claim) => claim !== undefined)
      const asked = distinct(readable)
      if (asked.length > mostClaims) return reply(413)
      const settled = yield* Effect.forEach(asked, (claim) => takeSafely(claim, noted), { concurrency: mostAtOnce })
      if (!settled.every(Boolean)) return comeAgain
      return readable.length < claims.success.length ? reply(400) : accepted
    })

    return PaymentNotices.of({ path, handle: (exchange) => Effect.withSpan(handle(exchange), "ApiPix.notice") })
  })

/** The route that the bank calls, below `path`. */
export const apiPixNoticesLayer = (
  path: string,
): Layer.Layer<PaymentNotices, never, Connections | PixCharges | CompanyDirectory> =>
  Layer.effect(PaymentNotices, make(path))
