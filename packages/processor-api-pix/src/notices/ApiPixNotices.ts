import { CompanyDirectory, type Exchange, type ExchangeBody, PaymentNotices, type Reply } from "@pixcharge/core"
import { logFailure, safeSpan } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { maxClaims, type NoticeClaim, readNotice, readRecurrenceNotice } from "../wire/Webhook.ts"
import { parseJson } from "../wire/parseJson.ts"
import { checkSecrets, type NoticeSecrets, readNoticeAddress } from "./noticeAddress.ts"
import { isEndToEndId } from "./recordClaim.ts"
import { makeTakeClaims } from "./takeClaims.ts"
import { makeTakeRecurrences } from "./takeRecurrences.ts"
import { makeTakeUnknown } from "./takeUnknown.ts"

const makeReply = (status: number, headers: Reply["headers"] = {}): Reply => ({ status, headers, body: "" })

const accepted = makeReply(200)
const sendAgain = makeReply(503, { "retry-after": "30" })

/** The options that authenticate notices. */
export interface NoticeAccess {
  /**
   * The secrets that authenticate the URLs that banks call: at least 32 bytes each, required for notices. The URLs that
   * are registered contain a code made with the first secret. URLs made with the optional second secret are accepted,
   * too: the next secret until every process has it, or the previous one until the webhooks have been registered again.
   */
  readonly noticeSecrets?: NoticeSecrets
  /**
   * Whether the caller of the webhook is a bank. Useful if the host's proxy checks the client's certificate or address,
   * and reports it in a header. Called after the URL is authenticated. Any result except `true`, so also a promise,
   * leads to a 404.
   */
  readonly noticeCaller?: (exchange: Exchange) => boolean
}

const makeTakePayments = Effect.gen(function* () {
  const directory = yield* CompanyDirectory
  const takeClaims = yield* makeTakeClaims
  const takeUnknown = yield* makeTakeUnknown

  return Effect.fnUntraced(function* (issuer: Cnpj, notice: unknown) {
    const read = readNotice(notice)
    const failure = Result.isFailure(read) ? read.failure : undefined
    if (failure === "tooMany") return makeReply(413)
    const claims: ReadonlyArray<NoticeClaim | undefined> = Result.isSuccess(read) ? read.success : [undefined]
    const readable = claims.filter((claim) => claim !== undefined)
    const isUnderstood = readable.length === claims.length
    const entry = yield* Effect.result(directory.find(issuer))
    if (Result.isFailure(entry)) return sendAgain
    if (entry.success === undefined) {
      yield* Effect.logWarning("A notice names a company that is no longer ours", issuer)
      return accepted
    }
    const wellFormed = readable.filter(({ endToEndId }) => isEndToEndId(endToEndId))
    const isTaken = yield* Effect.catch(takeClaims(issuer, wellFormed), (error) =>
      Effect.as(logFailure("Warn", "A notice could not be looked up", error), false),
    )
    const areChecked = isUnderstood || (yield* takeUnknown(issuer, notice))
    if (!isTaken || !areChecked || wellFormed.length < readable.length) return sendAgain
    return isUnderstood || failure === "unknown" ? accepted : makeReply(400)
  })
})

const make = Effect.fnUntraced(function* ({ noticeSecrets, noticeCaller = () => true }: NoticeAccess) {
  const secrets = yield* checkSecrets(noticeSecrets)
  const takePayments = yield* makeTakePayments
  const takeRecurrences = yield* makeTakeRecurrences

  const answer = Effect.fnUntraced(function* (exchange: Exchange, issuer: Cnpj) {
    if (exchange.method === "GET" || exchange.method === "HEAD") return accepted
    if (exchange.method !== "POST") return makeReply(405, { allow: "GET, HEAD, POST" })
    const body = yield* readBody(exchange)
    if (Result.isFailure(body)) return makeReply(body.failure)
    const recurrenceNotice = readRecurrenceNotice(body.success)
    if (recurrenceNotice === undefined) return yield* takePayments(issuer, body.success)
    if (Result.isFailure(recurrenceNotice)) return makeReply(413)
    const { others } = recurrenceNotice.success
    if (!(yield* takeRecurrences(issuer, recurrenceNotice.success))) return sendAgain
    return others.length > 0 ? yield* takePayments(issuer, others) : accepted
  })

  return PaymentNotices.of({
    handle: (exchange, below) => {
      const issuer = readNoticeAddress(secrets, below)
      if (issuer === undefined || noticeCaller(exchange) !== true) return undefined
      return safeSpan("ApiPix.notice")(answer(exchange, issuer))
    },
  })
})

/** Answers the bank's calls. Fails with `ApiPixMisconfigured` for missing or short secrets. */
export const apiPixNoticesLayer = (access: NoticeAccess) => Layer.effect(PaymentNotices, make(access))

/** Larger than a `Pix` with all standard fields at full length and two returns. */
const maxEntryBytes = 1_024
const maxBodyBytes = maxClaims * maxEntryBytes

const unreadable: ExchangeBody = { _tag: "Unreadable" }

/** Bytes that aren't UTF-8, like a payer's message in ISO 8859-1, become replacement characters. */
const readText = (body: ExchangeBody): string | undefined => {
  if (body._tag === "Text") return body.text
  return body._tag === "Unreadable" && body.bytes !== undefined ? new TextDecoder().decode(body.bytes) : undefined
}

/** The failure is the HTTP status to return. */
const readBody = (exchange: Exchange): Effect.Effect<Result.Result<unknown, number>> =>
  Effect.promise(() => exchange.body(maxBodyBytes).catch(() => unreadable)).pipe(
    Effect.map((body) => {
      if (body._tag === "TooLarge") return Result.fail(413)
      if (body._tag === "Unsupported") return Result.fail(415)
      if (body._tag === "Parsed") return Result.succeed(body.value ?? {})
      const text = readText(body)
      if (text === undefined) return Result.fail(400)
      // Some banks test a webhook with an empty body.
      const json = text.trim() === "" ? Option.some({}) : parseJson(text)
      return Option.isNone(json) ? Result.fail(400) : Result.succeed(json.value)
    }),
  )
