import { CompanyDirectory, type Exchange, PaymentNotices, PixCharges, type Reply } from "@pixcharge/core"
import { makeSingleFlight } from "@pixcharge/core/cache"
import type { Charge } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type NoticeClaim, readNotice } from "../wire/Webhook.ts"
import { checkSecrets, type NoticeSecrets, readNoticeAddress } from "./noticeAddress.ts"
import { readBody } from "./readBody.ts"
import { makeNoticeProgress, type NoticeProgress } from "./NoticeProgress.ts"
import { type ClaimOutcome, isEndToEndId, makeRecordClaim } from "./recordClaim.ts"
import { logFailure, safeSpan } from "@pixcharge/core/telemetry"

const maxConcurrency = 5

const reply = (status: number, headers: Reply["headers"] = {}): Reply => ({ status, headers, body: "" })

const accepted = reply(200)
const sendAgain = reply(503, { "retry-after": "30" })

/** Banks want an answer within five seconds (Itaú), and call again after ever longer ones. */
const answerMs = 3_000

/** One claim for each payment, with all that the notice shows of it. */
const distinct = (claims: ReadonlyArray<NoticeClaim>): ReadonlyArray<NoticeClaim> => {
  const byId = new Map<string, NoticeClaim>()
  for (const claim of claims) {
    const known = byId.get(claim.endToEndId)
    byId.set(claim.endToEndId, {
      ...known,
      ...claim,
      returnIds: [...new Set([...(known?.returnIds ?? []), ...claim.returnIds])],
      hasUnnamedReturns: known?.hasUnnamedReturns === true || claim.hasUnnamedReturns,
    })
  }
  return [...byId.values()]
}

/** What is to be looked up of a notice. */
interface OpenClaim {
  readonly claim: NoticeClaim
  readonly charge?: Charge
}

/** What was not looked up in vain comes first, and of that what names an open charge of ours. */
const byUrgency = ({ tried }: NoticeProgress, claims: ReadonlyArray<OpenClaim>): ReadonlyArray<OpenClaim> => {
  const rank = ({ claim, charge }: OpenClaim): number =>
    (tried.has(claim.endToEndId) ? 2 : 0) + (charge?._tag === "Pending" ? 0 : 1)
  return claims.toSorted((a, b) => rank(a) - rank(b))
}

/** Who may send notices. */
export interface NoticeAccess {
  /**
   * Authenticate the URLs under which banks call: at least 32 bytes each. The first makes the URLs that are registered; the
   * second, if there is one, is accepted too: the next one, until every process has it, or the one before, until the
   * webhooks have been registered anew. Needed for notices.
   */
  readonly noticeSecrets?: NoticeSecrets
  /**
   * Whether the caller of the webhook is a bank, where the host's proxy can tell: by a header that the proxy sets after it
   * has checked the client's certificate or address. Asked once the URL is known to be ours; anything but true is answered
   * 404, a promise too: it says nothing yet.
   */
  readonly noticeCaller?: (exchange: Exchange) => boolean
}

const make = Effect.fnUntraced(function* ({ noticeSecrets, noticeCaller = () => true }: NoticeAccess) {
  const secrets = yield* checkSecrets(noticeSecrets)
  const directory = yield* CompanyDirectory
  const charges = yield* PixCharges
  const recordClaim = yield* makeRecordClaim
  const notices = makeNoticeProgress()
  const lookUps = makeSingleFlight<ClaimOutcome, never>(yield* Effect.scope)

  /** Records a claim, once for all who ask at once, and remembers what came of it: also when the notice was answered meanwhile. */
  const lookUp = (issuer: Cnpj, { claim, charge }: OpenClaim, { settled, tried }: NoticeProgress) => {
    const remembered = (outcome: Effect.Effect<ClaimOutcome>) =>
      Effect.map(outcome, (one) => {
        if (one === "settled") settled.add(claim.endToEndId)
        if (one === "sendAgain") tried.add(claim.endToEndId)
        return one
      })
    const recorded = remembered(recordClaim(claim, issuer, charge))
    return remembered(lookUps(`${issuer} ${claim.endToEndId}`, JSON.stringify(claim), recorded))
  }

  /** Looks up one claim after the other, a few at once, until nothing can be looked up for a while. */
  const lookUpAll = (issuer: Cnpj, claims: ReadonlyArray<OpenClaim>, progress: NoticeProgress) =>
    Effect.suspend(() => {
      let goesOn = true
      const next = (claim: OpenClaim) =>
        goesOn
          ? Effect.tap(lookUp(issuer, claim, progress), (outcome) =>
              Effect.sync(() => void (goesOn &&= outcome !== "notNow")),
            )
          : Effect.void
      return Effect.forEach(claims, next, { concurrency: maxConcurrency, discard: true })
    })

  /** What the books don't hold yet, with the charges that it names. */
  const openClaims = (issuer: Cnpj, claims: ReadonlyArray<NoticeClaim>) =>
    Effect.map(charges.inspect(issuer, claims), (inspected) =>
      claims.flatMap((claim, at): ReadonlyArray<OpenClaim> => {
        const { isHeld = false, charge } = inspected[at] ?? {}
        return isHeld ? [] : [{ claim, ...(charge && { charge }) }]
      }),
    )

  /** Whether each claim is remembered without its look-up: its charge is due for a check. */
  const areDue = (claims: ReadonlyArray<OpenClaim>) => {
    const named = claims.flatMap(({ charge }) => charge ?? [])
    return named.length < claims.length
      ? Effect.succeed(false)
      : Effect.catch(charges.checkNow(named), (error) =>
          Effect.as(logFailure("Warn", "The charges of a notice could not be made due for a check", error), false),
        )
  }

  /** Whether everything that the claims mean is in the books, or remembered. */
  const takeClaims = Effect.fnUntraced(function* (issuer: Cnpj, claims: ReadonlyArray<NoticeClaim>) {
    const { progress, end } = notices.open(issuer, claims, yield* Clock.currentTimeMillis)
    const isOpen = ({ claim }: OpenClaim) => !progress.settled.has(claim.endToEndId)
    const open = (yield* openClaims(issuer, claims)).filter(isOpen)
    const all = lookUpAll(issuer, byUrgency(progress, open), progress)
    const inTime = yield* Effect.timeoutOption(all, answerMs)
    const left = open.filter(isOpen)
    const isTaken = left.length === 0 || (Option.isNone(inTime) && (yield* areDue(left)))
    if (isTaken) end()
    return isTaken
  })

  const answer = Effect.fnUntraced(function* (exchange: Exchange, issuer: Cnpj) {
    // Some banks look whether the address answers before they register it.
    if (exchange.method === "GET" || exchange.method === "HEAD") return accepted
    if (exchange.method !== "POST") return reply(405, { allow: "GET, HEAD, POST" })
    const body = yield* readBody(exchange)
    if (Result.isFailure(body)) return reply(body.failure)
    const claims = readNotice(body.success)
    if (Result.isFailure(claims)) return reply(claims.failure === "tooMany" ? 413 : 400)
    const readable = claims.success.filter((claim) => claim !== undefined)
    const entry = yield* Effect.result(directory.find(issuer))
    if (Result.isFailure(entry)) return sendAgain
    if (entry.success === undefined) {
      yield* Effect.logWarning("A notice is for no company of ours any more", issuer)
      return accepted
    }
    const sound = distinct(readable).filter(({ endToEndId }) => isEndToEndId(endToEndId))
    const isTaken = yield* Effect.catch(takeClaims(issuer, sound), (error) =>
      Effect.as(logFailure("Warn", "A notice could not be looked up", error), false),
    )
    if (!isTaken || !readable.every(({ endToEndId }) => isEndToEndId(endToEndId))) return sendAgain
    return readable.length < claims.success.length ? reply(400) : accepted
  })

  return PaymentNotices.of({
    handle: (exchange, below) => {
      const issuer = readNoticeAddress(secrets, below)
      if (issuer === undefined || noticeCaller(exchange) !== true) return undefined
      return safeSpan("ApiPix.notice")(answer(exchange, issuer))
    },
  })
})

/** What answers the bank's calls. Fails with `ApiPixMisconfigured` for secrets that protect nothing. */
export const apiPixNoticesLayer = (access: NoticeAccess) => Layer.effect(PaymentNotices, make(access))
