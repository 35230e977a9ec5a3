import type {
  CancelOutcome,
  ChargeOrder,
  PaymentPage,
  ProcessorView,
  RefundOrder,
  RegisteredCharge,
  ShownNotice,
} from "@pixcharge/core"
import type { Charge, RefundOutcome, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerCharge, LedgerPayment, LedgerReturn } from "@pixcharge/simulated-bank"
import type { Evidence, Word } from "./Evidence.ts"
import { bankCharge } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"
import { conditions, writeFees } from "./fees.ts"

export interface SeenWord extends Word, Pick<Evidence, "ledger" | "accounts" | "listsAfterMs"> {
  readonly ways: NonNullable<Evidence["ways"]>
  /** The time of the answer. */
  readonly now: number
  /** When the return call arrived at the bank. */
  readonly arrivedAt?: number
}

type Find = (seen: SeenWord) => ReadonlyArray<string>

/** Banks report instants by the second, and every answer is faster. */
const secondMs = 1_000
const clockToleranceMs = 60_000
/** More than the clocks' difference and the time to make a charge. */
const createdWithinMs = 120_000

const isPaidFor = new Set<string | undefined>(["active", "completed"])

/** The bank's charge, if it hasn't changed since the call. The answer must then match it. */
const asUnchanged = ({ requestedAt: askedAt }: SeenWord, bank: LedgerCharge | undefined): LedgerCharge | undefined =>
  bank !== undefined && bank.changedAt < askedAt ? bank : undefined

const chargeAt = (seen: SeenWord, issuer: Cnpj, txid: string): LedgerCharge | undefined =>
  bankCharge(seen, { issuer, txid: txid as Charge["txid"] })

const isSamePayment = ({ accounts }: SeenWord, bank: LedgerPayment | undefined, reported: ShownNotice): boolean =>
  bank !== undefined &&
  bank.issuer === accounts.holder(reported.issuer) &&
  bank.endToEndId === reported.endToEndId &&
  bank.amountCents === reported.amountCents &&
  bank.txid === reported.txid &&
  bank.pixKey === (reported.pixKey ?? bank.pixKey) &&
  Math.abs(bank.paidAt - reported.paidAt) < secondMs

const isSameReturn = (bank: LedgerReturn, reported: Return): boolean =>
  bank.id === reported.id &&
  bank.kind === reported.kind &&
  bank.amountCents === reported.amountCents &&
  Math.abs((bank.returnedAt ?? Infinity) - reported.returnedAt) < secondMs

/** Finds returns in an answer that the bank doesn't have, and missing returns. */
const findWrongReturns = (
  { requestedAt: askedAt }: SeenWord,
  payments: ReadonlyArray<LedgerPayment>,
  reported: ReadonlyArray<Return>,
): ReadonlyArray<string> =>
  payments.flatMap(({ endToEndId, returns }) => {
    const its = reported.filter((one) => one.endToEndId === endToEndId)
    const name = `the return of ${shortName(endToEndId)} by`
    return [
      ...its
        .filter((one) => !returns.some((row) => isSameReturn(row, one)))
        .map(({ id }) => `${name} ${id} is reported, but the bank has no such return`),
      ...returns
        .filter(({ id, returnedAt = Infinity }) => returnedAt < askedAt && !its.some((one) => one.id === id))
        .map(({ id }) => `${name} ${id} is not reported`),
    ]
  })

/** Finds a refund's outcome that contradicts the bank. The bank can still make a refund that it denied. */
const findWrongOutcome: Find = (seen) => {
  const { ledger, requestedAt: askedAt, now, arrivedAt = now - secondMs, args, answer, failure } = seen
  if (failure !== undefined) return []
  const { endToEndId, refundId } = args[0] as RefundOrder
  const row = ledger.payments.get(endToEndId)?.returns.find(({ id }) => id === refundId)
  const outcome = answer as RefundOutcome | undefined
  const reported = outcome?._tag ?? "Unknown"
  // The bank hides a return from other calls while it makes it.
  const isLive = row !== undefined && row.status !== "rejected" && row.status !== "making" && row.isDenied !== true
  const was = row !== undefined && row.changedAt < askedAt ? row.status : undefined
  const isOther =
    (reported === "Rejected" && isLive && row.createdAt < arrivedAt) ||
    (reported === "Returned" && row?.status !== "returned") ||
    (reported === "Unknown" && was !== undefined && was !== "making") ||
    (reported === "Processing" && (row === undefined || was === "returned" || was === "rejected"))
  const isOff =
    outcome?._tag === "Returned" &&
    row !== undefined &&
    (outcome.amountCents !== row.amountCents || Math.abs(outcome.returnedAt - (row.returnedAt ?? Infinity)) >= secondMs)
  return [
    ...reportIf(
      isOther,
      `${refundId} is reported as ${reported}, but at the bank it is ${row?.status ?? "not at all"}`,
    ),
    ...reportIf(isOff, `${refundId} is reported with other cents or another time than at the bank`),
  ]
}

const earliestCreation = ({ ways }: SeenWord, { createdAt }: LedgerCharge): number => createdAt - ways.creationAheadMs

/** True if two times differ by more than `byMs` and the lead of the bank's clock for charges. */
const areApart = ({ ways }: SeenWord, a: number, b: number, byMs: number): boolean =>
  Math.abs(a - b) > byMs + Math.abs(ways.creationAheadMs)

const hasOtherTerms = (seen: SeenWord, bank: LedgerCharge, { status, terms }: ProcessorView): boolean => {
  if (status === "unknown") return false
  const { amountCents, dueDate, payableUntil } = bank.terms
  const seconds = terms?.payableForSeconds
  const isLong =
    seconds !== undefined && areApart(seen, payableUntil, earliestCreation(seen, bank) + seconds * 1_000, 0)
  return terms?.amountCents !== amountCents || terms.dueDate !== dueDate || isLong
}

/** The bank's charge with the terms of the revision that a look-up names. */
const atRevision = ({ args: [, revision] }: SeenWord, bank: LedgerCharge): LedgerCharge => {
  const terms = typeof revision === "number" ? bank.termsByRevision[revision] : undefined
  return terms === undefined ? bank : { ...bank, terms }
}

const findWrongView = (seen: SeenWord, charge: Charge, view: ProcessorView): ReadonlyArray<string> => {
  const { ledger, accounts, listsAfterMs, requestedAt: askedAt, ways } = seen
  const { issuer, txid } = charge
  const { status, payments, returns } = view
  const bank = chargeAt(seen, issuer, txid)
  const then = asUnchanged(seen, bank)
  const name = shortName(txid)
  const known = then?.status === "making" ? "unknown" : then?.status
  const its = [...ledger.payments.values()].filter((one) => one.issuer === accounts.holder(issuer) && one.txid === txid)
  const shown = its.filter((one) => payments.some((reported) => reported.endToEndId === one.endToEndId))
  // If the bank's charges don't show payments, the process lists them from the charge's creation until now by its own
  // clock.
  const agoMs = ways.paymentsInCharges ? secondMs : clockToleranceMs
  const since = ways.paymentsInCharges || bank === undefined ? -Infinity : earliestCreation(seen, bank)
  const missing = its.filter(
    (one) => one.paidAt >= since && one.paidAt < askedAt - listsAfterMs - agoMs && !shown.includes(one),
  )
  const isShort = status === "completed" && missing.length > 0
  return [
    ...reportIf(known !== undefined && known !== status, `${name} is reported as ${status}, but is ${known}`),
    ...reportIf(bank === undefined && status !== "unknown", `${name} is reported as ${status}, but is not at the bank`),
    ...reportIf(status === "completed" && bank?.status !== "completed", `${name} is reported as paid, but is not`),
    ...reportIf(
      then !== undefined && hasOtherTerms(seen, atRevision(seen, then), view),
      `${name} is reported with wrong terms`,
    ),
    ...reportIf(isShort, `${name} lacks ${missing.length} payments`),
    ...payments
      .filter((reported) => !isSamePayment(seen, ledger.payments.get(reported.endToEndId), reported))
      .map((reported) => `${shortName(reported.endToEndId)} is reported for ${name}, but the bank has no such payment`),
    ...findWrongReturns(seen, shown, returns),
  ]
}

const findWrongLookup: Find = (seen) =>
  seen.failure === undefined ? findWrongView(seen, seen.args[0] as Charge, seen.answer as ProcessorView) : []

const findWrongPage: Find = (seen) => {
  if (seen.failure !== undefined) return []
  return (seen.answer as PaymentPage).items.flatMap((reported) => {
    const bank = seen.ledger.payments.get(reported.endToEndId)
    return bank !== undefined && isSamePayment(seen, bank, reported)
      ? findWrongReturns(seen, [bank], reported.returns)
      : [`${shortName(reported.endToEndId)} is listed, but the bank has no such payment`]
  })
}

/**
 * A charge is removed only if it is unpaid and can no longer be paid. The banks here refuse a removal for no other
 * reason.
 */
const findWrongRemoval: Find = (seen) => {
  const charge = seen.args[0] as Charge
  const name = shortName(charge.txid)
  if (seen.failure === "ProcessorRejected")
    return [`the bank is reported to keep ${name}, but it doesn't refuse the removal`]
  if (seen.failure !== undefined) return []
  const outcome = seen.answer as CancelOutcome
  if (outcome._tag === "Paid") return findWrongView(seen, charge, outcome.view)
  const status = asUnchanged(seen, chargeAt(seen, charge.issuer, charge.txid))?.status
  return reportIf(isPaidFor.has(status), `${name} is reported as cancelled, but is ${status} at the bank`)
}

const hasTerms = ({ terms }: Pick<LedgerCharge, "terms">, order: ChargeOrder): boolean => {
  const { amountCents, dueDate, payableForSeconds = 600, company, earlierFees = [] } = order
  if (terms.amountCents !== amountCents || terms.dueDate !== dueDate) return false
  const { expiracao = payableForSeconds, validadeAposVencimento = company.graceDays } = terms.body?.calendario ?? {}
  if (dueDate === undefined ? expiracao !== payableForSeconds : validadeAposVencimento !== company.graceDays)
    return false
  const shown = conditions(terms.body?.valor ?? {})
  const allowed = [company.fees ?? {}, ...earlierFees]
  return dueDate === undefined || allowed.some((fees) => conditions(writeFees(fees, dueDate)) === shown)
}

/**
 * A registered charge must be at the bank. A registration can be refused only because of a taken txid or a past due
 * date.
 */
const findWrongRegistration: Find = (seen) => {
  const order = seen.args[0] as ChargeOrder
  const name = shortName(order.txid)
  const bank = chargeAt(seen, order.company.cnpj, order.txid)
  const isRevised = bank !== undefined && bank.revision > 0 && asUnchanged(seen, bank) === undefined
  const isSame = bank !== undefined && hasTerms(bank, order)
  if (seen.failure === "ChargeConflict") {
    return reportIf(
      !isRevised && (bank === undefined || isSame),
      `${name} is reported to have other terms, but has the requested ones`,
    )
  }
  if (seen.failure === "ProcessorRejected") {
    const isFree = bank === undefined || (isSame && isPaidFor.has(bank.status))
    return reportIf(!isRevised && isFree && order.dueDate === undefined, `${name} is reported as refused for good`)
  }
  if (seen.failure !== undefined) return []
  const { txid, brCode, createdAt } = seen.answer as RegisteredCharge
  if (bank === undefined) return [`${name} is reported as registered, but is not at the bank`]
  return [
    ...reportIf(txid !== order.txid, `${name} is registered as ${txid}`),
    ...reportIf(!isRevised && !isSame, `${name} is reported as registered, but has other terms`),
    ...reportIf(asUnchanged(seen, bank)?.status === "removed", `${name} is reported as registered, but is removed`),
    // One bank writes a location into the code that differs in its last character.
    ...reportIf(!brCode.includes(bank.location.slice(0, -1)), `${name} has the code of another charge`),
    ...reportIf(
      areApart(seen, createdAt, earliestCreation(seen, bank), createdWithinMs),
      `${name} is reported with another creation time`,
    ),
  ]
}

/** The bank has had the terms of a change that is reported as made. */
const findWrongChange: Find = (seen) => {
  const order = seen.args[0] as ChargeOrder
  if (seen.failure !== undefined) return []
  const had = chargeAt(seen, order.company.cnpj, order.txid)?.termsByRevision ?? []
  return reportIf(
    !had.some((terms) => hasTerms({ terms }, order)),
    `${shortName(order.txid)} is reported as changed, but never had these terms`,
  )
}

const wrongWords: Readonly<Record<string, Find>> = {
  register: findWrongRegistration,
  change: findWrongChange,
  refund: findWrongOutcome,
  lookupRefund: findWrongOutcome,
  lookup: findWrongLookup,
  payments: findWrongPage,
  cancel: findWrongRemoval,
}

export const processorRules: Rules<SeenWord> = {
  bankIsQuoted: (seen) => wrongWords[seen.method]?.(seen) ?? [],
}
