import { CompanyDirectory, type Exchange, PaymentNotices, type Reply } from "@pixcharge/core"
import { chargeIdFromTxid, isTxidOfAnother } from "@pixcharge/core/charges"
import { Recurrences } from "@pixcharge/core/recurring"
import { logFailure, makeRecentMap, safeSpan } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { noticeBudget } from "../http/BankGate.ts"
import { type CallBudget, makeCallBudget } from "../http/CallBudget.ts"
import { type RecurrenceNotice, readRecurrenceNotice } from "../wire/RecurrenceNotice.ts"
import { type NoticeClaim, readNotice } from "../wire/Webhook.ts"
import { checkSecrets, type NoticeSecrets, readNoticeAddress } from "./noticeAddress.ts"
import { makeOtherCompanies } from "./otherCompanies.ts"
import { readBody } from "./readBody.ts"
import { isEndToEndId } from "./recordClaim.ts"
import { makeTakeClaims } from "./takeClaims.ts"
import { makeTakeUnknown } from "./takeUnknown.ts"

const makeReply = (status: number, headers: Reply["headers"] = {}): Reply => ({ status, headers, body: "" })

const accepted = makeReply(200)
const sendAgain = makeReply(503, { "retry-after": "30" })

/** Budgets that are kept, two for a company; the one that was used least recently begins again. */
const maxBudgets = 1_000

/** Who may send notices. */
export interface NoticeAccess {
  /**
   * Authenticate the URLs under which banks call: at least 32 bytes each. The first makes the URLs that are registered; the
   * second, if there is one, is accepted too: the next one, until every process has it, or the one before, until the
   * webhooks have been registered again. Needed for notices.
   */
  readonly noticeSecrets?: NoticeSecrets
  /**
   * Whether the caller of the webhook is a bank, where the host's proxy can tell: by a header that the proxy sets after it
   * has checked the client's certificate or address. It is called once the URL is known to be ours. Anything but `true` is a
   * 404, and so is a promise.
   */
  readonly noticeCaller?: (exchange: Exchange) => boolean
}

const make = Effect.fnUntraced(function* ({ noticeSecrets, noticeCaller = () => true }: NoticeAccess) {
  const secrets = yield* checkSecrets(noticeSecrets)
  const directory = yield* CompanyDirectory
  const otherCompanies = yield* makeOtherCompanies
  const takeClaims = yield* makeTakeClaims
  const takeUnknown = yield* makeTakeUnknown
  const recurrences = yield* Effect.serviceOption(Recurrences)

  /** Checks soon what the notice names of the companies on the account, for all of which a bank calls one address. */
  const checkSoon = Effect.fnUntraced(function* (own: Recurrences["Service"], issuer: Cnpj, named: RecurrenceNotice) {
    yield* own.checkSoon(issuer, named)
    const sharing = yield* Effect.orElseSucceed(otherCompanies.sharingWith(issuer), () => [])
    for (const company of sharing) if (company !== issuer) yield* own.checkSoon(company, named)
  })

  /** As many as payments are looked up for notices: the sender of a leaked URL gets no more of the books' time. */
  const budgets = makeRecentMap<string, CallBudget>(maxBudgets)
  const takeFromBudget = (issuer: Cnpj, isOurs: boolean) => {
    const key = `${issuer} ${isOurs}`
    const budget = budgets.get(key) ?? makeCallBudget(noticeBudget)
    budgets.set(key, budget)
    return budget
  }

  /** Has the named recurrences checked soon. A host without recurrences has none, and an id of the bank may be another system's. */
  const takeRecurrences = (issuer: Cnpj, { bankIds, txids: all, others }: RecurrenceNotice) => {
    const txids = all.filter((txid) => chargeIdFromTxid(issuer, txid) !== undefined || isTxidOfAnother(issuer, txid))
    if (Option.isNone(recurrences) || bankIds.length + txids.length === 0) return Effect.succeed(accepted)
    const stored = checkSoon(recurrences.value, issuer, { bankIds, txids, others })
    return Effect.matchEffect(Effect.andThen(takeFromBudget(issuer, txids.length > 0), stored), {
      onSuccess: () => Effect.succeed(accepted),
      onFailure: (error) =>
        error._tag === "PspUnanswered"
          ? Effect.succeed(sendAgain)
          : Effect.as(logFailure("Warn", "A notice could not be stored", error), sendAgain),
    })
  }

  const takePayments = Effect.fnUntraced(function* (issuer: Cnpj, notice: unknown) {
    const read = readNotice(notice)
    const failure = Result.isFailure(read) ? read.failure : undefined
    if (failure === "tooMany") return makeReply(413)
    const claims: ReadonlyArray<NoticeClaim | undefined> = Result.isSuccess(read) ? read.success : [undefined]
    const readable = claims.filter((claim) => claim !== undefined)
    const isUnderstood = readable.length === claims.length
    const entry = yield* Effect.result(directory.find(issuer))
    if (Result.isFailure(entry)) return sendAgain
    if (entry.success === undefined) {
      yield* Effect.logWarning("A notice is for no company of ours any more", issuer)
      return accepted
    }
    const sound = readable.filter(({ endToEndId }) => isEndToEndId(endToEndId))
    const isTaken = yield* Effect.catch(takeClaims(issuer, sound), (error) =>
      Effect.as(logFailure("Warn", "A notice could not be looked up", error), false),
    )
    const areChecked = isUnderstood || (yield* takeUnknown(issuer, notice))
    if (!isTaken || !areChecked || sound.length < readable.length) return sendAgain
    return isUnderstood || failure === "unknown" ? accepted : makeReply(400)
  })

  const answer = Effect.fnUntraced(function* (exchange: Exchange, issuer: Cnpj) {
    // Some banks look whether the address answers before they register it.
    if (exchange.method === "GET" || exchange.method === "HEAD") return accepted
    if (exchange.method !== "POST") return makeReply(405, { allow: "GET, HEAD, POST" })
    const body = yield* readBody(exchange)
    if (Result.isFailure(body)) return makeReply(body.failure)
    const named = readRecurrenceNotice(body.success)
    if (named === undefined) return yield* takePayments(issuer, body.success)
    if (Result.isFailure(named)) return makeReply(413)
    const { others } = named.success
    const taken = yield* takeRecurrences(issuer, named.success)
    return taken === accepted && others.length > 0 ? yield* takePayments(issuer, others) : taken
  })

  return PaymentNotices.of({
    handle: (exchange, below) => {
      const issuer = readNoticeAddress(secrets, below)
      if (issuer === undefined || noticeCaller(exchange) !== true) return undefined
      return safeSpan("ApiPix.notice")(answer(exchange, issuer))
    },
  })
})

/** Answers the bank's calls. Fails with `ApiPixMisconfigured` for secrets that protect nothing. */
export const apiPixNoticesLayer = (access: NoticeAccess) => Layer.effect(PaymentNotices, make(access))
