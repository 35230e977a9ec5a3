import type { Period, Reconciliation, ReconciliationTurn } from "@pixcharge/core"
import type { Charge, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import type { Facts, StoreCall } from "./describeWrite.ts"
import type { Evidence } from "./Evidence.ts"
import { backCents, liveParts } from "./money.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { mayBeAdopted } from "./chargeRules.ts"
import type { Rule } from "./rules.ts"
import type { Judging } from "./Memory.ts"

/** More than the clocks' difference; banks list by the second. */
const toleranceMs = 62_000
const hourMs = 3_600_000
/** A daily comparison lists the payments of the last two days. */
const listedMs = 48 * hourMs
/** The interval of the lists that reach back two days. They show returns, and payments of charges in a wrong state. */
const comparedEachMs = 9 * hourMs

/** The payments and returns that a list of the bank shows. */
export interface ComparedFacts extends Facts {
  readonly payments: ReadonlyArray<LedgerPayment>
  /** Everything that was known before this time has been compared. Epoch milliseconds. */
  readonly until: number
}

const collectFacts = (
  { ledger, accounts }: Evidence,
  issuer: Cnpj,
  { from, until }: Period,
  returnedUntil: number,
): Omit<ComparedFacts, "until"> => {
  const its = [...ledger.payments.values()].filter((one) => accounts.mayOwn(issuer, one))
  return {
    issuer,
    payments: its.filter(({ paidAt }) => paidAt >= from && paidAt < until),
    returns: its.flatMap(({ endToEndId, paidAt, returns }) =>
      returns
        .filter(({ returnedAt = Infinity }) => paidAt >= from && returnedAt < returnedUntil)
        .map(({ id }) => ({ endToEndId, id })),
    ),
  }
}

export const reconciledFacts = (evidence: Evidence, issuer: Cnpj, { from, until }: Period): ComparedFacts => {
  const listed = { from, until: until - evidence.listsAfterMs - toleranceMs }
  const { returns, ...facts } = collectFacts(evidence, issuer, listed, until - toleranceMs)
  const ids = new Set(facts.payments.map(({ endToEndId }) => endToEndId))
  return { ...facts, returns: returns.filter(({ endToEndId }) => ids.has(endToEndId)), until: until - toleranceMs }
}

/**
 * The payments and returns that the books must have once a store call records a comparison with the bank's list:
 * payments listed late within twice their delay plus an hour, returns within a day. Undefined for other calls.
 */
export const comparedFacts = (
  { port, method, args, answer }: StoreCall,
  evidence: Evidence,
  now: number,
): ComparedFacts | undefined => {
  const { listsAfterMs } = evidence
  if (port !== "reconciliations" || method !== "save" || answer !== true) return undefined
  const [saved, turn] = args as readonly [Reconciliation, ReconciliationTurn]
  const { issuer, since, reconciledUntil, returnsDueAt } = saved
  if (turn._tag !== "Release") return undefined
  const lateMs = listsAfterMs === 0 ? 0 : 2 * listsAfterMs + hourMs
  const until = reconciledUntil - comparedEachMs - toleranceMs
  // The returns of older payments are listed once a day. If they are due only in more than half a day, they were just
  // listed.
  const returnedUntil = returnsDueAt > now + 12 * hourMs ? Math.min(until, returnsDueAt - 24 * hourMs - toleranceMs) : 0
  const period = { from: since, until: reconciledUntil - lateMs - toleranceMs }
  return { ...collectFacts(evidence, issuer, period, returnedUntil), until }
}

const paymentName = ({ endToEndId }: { readonly endToEndId: string }): string => `payment ${shortName(endToEndId)}`
const returnName = ({ endToEndId, id }: Pick<Return, "endToEndId" | "id">): string =>
  `return ${shortName(endToEndId)} by ${id}`

/** The facts must be in the books of the company, or of another company of its account. */
export const judgeRecorded = Effect.fnUntraced(function* (
  { evidence, report }: Judging,
  { issuer, payments, returns }: Facts,
  rule: Rule = "factsAreRecorded",
) {
  const { companies, accounts, books } = evidence
  const sharing = companies.filter((one) => one !== issuer && accounts.holder(one) === accounts.holder(issuer))
  let missing = [...payments.map(paymentName), ...returns.map(returnName)]
  for (const company of [issuer, ...sharing]) {
    if (missing.length === 0) break
    const paid = payments.length === 0 ? [] : yield* books.payments(company)
    const back = returns.length === 0 ? [] : yield* books.returns(company)
    const known = new Set([...paid.map(paymentName), ...back.map(returnName)])
    missing = missing.filter((name) => !known.has(name))
  }
  for (const what of missing) report(rule, `${what} is not in the books`)
})

/**
 * True if the charge doesn't reflect compared payments: it still waits although a compared payment could settle it,
 * or is paid although its payment was returned.
 */
const isBehind = (
  charge: Charge,
  { payments, returns, until }: ComparedFacts,
  isFree: (endToEndId: string) => boolean,
): boolean => {
  if (charge._tag === "Pending") {
    const its = payments.filter(({ txid, paidAt }) => txid === charge.txid && paidAt > until - listedMs)
    return its.some(({ endToEndId }) => isFree(endToEndId))
  }
  if (charge._tag !== "Paid" || liveParts(charge).length > 0) return false
  const { payment } = charge
  const known = charge.returns.filter((row) =>
    returns.some(({ endToEndId, id }) => endToEndId === row.endToEndId && id === row.id),
  )
  return backCents(payment, known) >= payment.amountCents
}

/** Compared payments must be in the books, and their charges in the state that follows from them. */
export const judgeCompared = Effect.fnUntraced(function* (judging: Judging, facts: ComparedFacts) {
  const { evidence, charges, exceptions, report } = judging
  const { issuer, payments, until } = facts
  const isFree = (endToEndId: string): boolean => {
    const states = exceptions.since(paymentKey({ issuer, endToEndId }), until)
    return states.length > 0 && states.every(mayBeAdopted)
  }
  if (payments.length === 0) return
  for (const charge of (yield* evidence.books.charges(issuer)).filter((one) => isBehind(one, facts, isFree))) {
    const { txid, _tag } = charge
    const states = charges.since(chargeKey(charge), until)
    const isStill = states.length > 0 && states.every((one) => one._tag === _tag)
    if (isStill) report("comparedMeansRecorded", `${shortName(txid)} was compared with the bank, but is ${_tag}`)
  }
})
