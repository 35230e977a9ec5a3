import { Bookkeeping, type ProcessorUnavailable, type StoreUnavailable } from "@pixcharge/core"
import { isTxidOfAnother } from "@pixcharge/core/charges"
import { logFailure, makeRecentMap, makeSingleFlight } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { hash } from "node:crypto"
import type { NoticeClaim } from "../wire/Webhook.ts"
import { makeOtherCompanies } from "./otherCompanies.ts"
import { type ClaimOutcome, isAwaited, makeRecordClaim, type OpenClaim } from "./recordClaim.ts"

const maxConcurrency = 5
/** Itaú expects an answer within five seconds. Without an answer, banks call again at growing intervals. */
export const answerMs = 3_000

type Books = Bookkeeping["Service"]

const mergeClaims = (claims: ReadonlyArray<NoticeClaim>): ReadonlyArray<NoticeClaim> => {
  const byId = new Map<string, Array<NoticeClaim>>()
  for (const claim of claims) {
    const known = byId.get(claim.endToEndId)
    if (known === undefined) byId.set(claim.endToEndId, [claim])
    else known.push(claim)
  }
  return Array.from(byId, ([endToEndId, all]): NoticeClaim => {
    const txid = all.find((claim) => claim.txid !== undefined)?.txid
    return {
      endToEndId,
      returnIds: [...new Set(all.flatMap(({ returnIds }) => returnIds))],
      returnStates: all.flatMap(({ returnStates }) => returnStates),
      hasUnnamedReturns: all.some(({ hasUnnamedReturns }) => hasUnnamedReturns),
      ...(txid !== undefined && { txid }),
    }
  })
}

const groupByBudget = ({ tried }: NoticeProgress, claims: ReadonlyArray<OpenClaim>) => {
  const rank = ({ claim }: OpenClaim): number => (tried.has(claim.endToEndId) ? 1 : 0)
  const sorted = claims.toSorted((a, b) => rank(a) - rank(b))
  return [sorted.filter(isAwaited), sorted.filter((open) => !isAwaited(open))]
}

const findOpenClaims = (books: Books, issuer: Cnpj, claims: ReadonlyArray<NoticeClaim>) =>
  Effect.map(books.inspect(issuer, claims), (inspected) =>
    claims.flatMap((claim, index): ReadonlyArray<OpenClaim> => {
      const { isHeld = false, isRecorded = false, charge } = inspected[index] ?? {}
      return isHeld ? [] : [{ claim, isRecorded, ...(charge && { charge }) }]
    }),
  )

/** Returns true if every claim names a charge and all checks are scheduled. */
const scheduleChecks = (books: Books, claims: ReadonlyArray<OpenClaim>): Effect.Effect<boolean> => {
  const named = claims.flatMap(({ charge }) => charge ?? [])
  return named.length < claims.length
    ? Effect.succeed(false)
    : Effect.catch(books.checkNow(named), (error) =>
        Effect.as(logFailure("Warn", "The charges of a notice could not be scheduled for a check", error), false),
      )
}

const lookUpAll = (claims: ReadonlyArray<OpenClaim>, lookUp: (claim: OpenClaim) => Effect.Effect<ClaimOutcome>) =>
  Effect.suspend(() => {
    let mayContinue = true
    const next = (claim: OpenClaim) =>
      mayContinue
        ? Effect.map(lookUp(claim), (outcome) => {
            mayContinue &&= outcome !== "notNow"
          })
        : Effect.void
    return Effect.forEach(claims, next, { concurrency: maxConcurrency, discard: true })
  })

/**
 * Processes a notice's claims. Returns whether all of them are in the books or scheduled for a check (decision 37).
 *
 * Skips payments that are in the books or belong to another company. Slow look-ups continue after the notice is
 * answered.
 */
export const makeTakeClaims = Effect.gen(function* () {
  const books = yield* Bookkeeping
  const recordClaim = yield* makeRecordClaim
  const others = yield* makeOtherCompanies
  const notices = makeNoticeProgress()
  const lookUps = makeSingleFlight<ClaimOutcome, never>(yield* Effect.scope)

  /**
   * Concurrent calls for the same claim share one look-up. Its outcome is remembered even if the notice has been
   * answered meanwhile.
   */
  const lookUp = (issuer: Cnpj, open: OpenClaim, { settled, tried }: NoticeProgress) => {
    const { claim } = open
    const remember = Effect.map((outcome: ClaimOutcome) => {
      if (outcome === "settled") settled.add(claim.endToEndId)
      if (outcome === "sendAgain") tried.add(claim.endToEndId)
      return outcome
    })
    const recorded = remember(recordClaim(open, issuer))
    const shared = lookUps(`${issuer} ${claim.endToEndId}`, JSON.stringify(claim), recorded)
    // An interrupted look-up has no outcome.
    return remember(Effect.catchCause(shared, () => Effect.succeed("notNow" as const)))
  }

  return Effect.fnUntraced(function* (
    issuer: Cnpj,
    shown: ReadonlyArray<NoticeClaim>,
  ): Effect.fn.Return<boolean, StoreUnavailable | ProcessorUnavailable> {
    const all = mergeClaims(shown)
    const claims = all.filter(({ txid }) => !isTxidOfAnother(issuer, txid))
    if (claims.length < all.length) {
      yield* others.wake(
        issuer,
        all.flatMap(({ txid }) => txid ?? []),
      )
    }
    const { progress, end } = notices.open(issuer, claims, yield* Clock.currentTimeMillis)
    const isOpen = ({ claim }: OpenClaim) => !progress.settled.has(claim.endToEndId)
    const open = (yield* findOpenClaims(books, issuer, claims)).filter(isOpen)
    const lookedUp = Effect.forEach(
      groupByBudget(progress, open),
      (group) => lookUpAll(group, (claim) => lookUp(issuer, claim, progress)),
      { discard: true },
    )
    const inTime = yield* Effect.timeoutOption(lookedUp, answerMs)
    const unsettled = open.filter(isOpen)
    const isTaken = unsettled.length === 0 || (Option.isNone(inTime) && (yield* scheduleChecks(books, unsettled)))
    if (isTaken) end()
    else yield* Effect.ignore(books.sweepSoon(issuer))
    return isTaken
  })
})

export interface NoticeProgress {
  readonly settled: Set<string>
  readonly tried: Set<string>
}

/** The number of remembered notices. */
const maxKept = 100
/** A repeated notice is recognised for this long. */
const maxAgeMs = 3_600_000

const makeNoticeProgress = () => {
  const kept = makeRecentMap<string, NoticeProgress & { readonly since: number }>(maxKept)
  return {
    open: (issuer: Cnpj, claims: ReadonlyArray<NoticeClaim>, now: number) => {
      const key = hash("sha256", JSON.stringify([issuer, claims]))
      const known = kept.get(key)
      const progress =
        known !== undefined && Math.abs(now - known.since) < maxAgeMs
          ? known
          : { settled: new Set<string>(), tried: new Set<string>(), since: now }
      kept.set(key, progress)
      return { progress, end: () => kept.delete(key) }
    },
  }
}
