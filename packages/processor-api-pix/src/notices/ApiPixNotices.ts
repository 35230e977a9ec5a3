import { type Exchange, PaymentNotices, type Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type NoticeClaim, readNotice } from "../wire/Webhook.ts"
import { readBody } from "./readBody.ts"
import { readNoticePath } from "./readNoticePath.ts"
import { makeRecordClaim } from "./recordClaim.ts"

const maxConcurrency = 5
/** Each claim costs a call to the bank: one notice may cause this many. */
const maxClaims = 1000

const reply = (status: number, headers: Reply["headers"] = {}): Reply => ({ status, headers, body: "" })

const accepted = reply(200)
const sendAgain = reply(503, { "retry-after": "30" })

/** One claim for each payment: one with returns, if the notice has it. */
const distinct = (claims: ReadonlyArray<NoticeClaim>): ReadonlyArray<NoticeClaim> => {
  const byId = new Map<string, NoticeClaim>()
  for (const claim of claims) {
    if (claim.hasReturns || !byId.has(claim.endToEndId)) byId.set(claim.endToEndId, claim)
  }
  return [...byId.values()]
}

const make = Effect.gen(function* () {
  const recordClaim = yield* makeRecordClaim

  const handle = Effect.fnUntraced(function* (exchange: Exchange, below: string) {
    const path = readNoticePath(below)
    if (path === undefined) return reply(404)
    if (exchange.method !== "POST") return reply(405, { allow: "POST" })
    const body = yield* readBody(exchange)
    if (Result.isFailure(body)) return reply(body.failure)
    const claims = readNotice(body.success)
    if (Result.isFailure(claims)) return reply(400)
    const readable = claims.success.filter((claim) => claim !== undefined)
    const asked = distinct(readable)
    if (asked.length > maxClaims) return reply(413)
    const settled = yield* Effect.forEach(asked, (claim) => recordClaim(claim, path), { concurrency: maxConcurrency })
    if (!settled.every(Boolean)) return sendAgain
    return readable.length < claims.success.length ? reply(400) : accepted
  })

  return PaymentNotices.of({
    handle: (exchange, below) => Effect.withSpan(handle(exchange, below), "ApiPix.notice"),
  })
})

/** What answers the bank's calls. */
export const apiPixNoticesLayer = Layer.effect(PaymentNotices, make)
