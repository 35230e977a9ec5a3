import type { StoreUnavailable, TooManyReports } from "@pixcharge/core"
import {
  type Charge,
  type PaidCharge,
  partialRefundStatus,
  type Payment,
  type PaymentException,
  type Return,
  returnedCents,
} from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { chargeKey, type Ledger, type LedgerPayment } from "@pixcharge/simulated-bank"
import type { Books } from "../Books.ts"
import { nameOf } from "../names.ts"
import type { Receipt } from "../Receivers.ts"
import { isSameEvent } from "./eventViolations.ts"
import { exceptionViolations } from "./exceptionViolations.ts"
import { paymentViolations } from "./paymentViolations.ts"
import type { Violation } from "./Violation.ts"

const hourMs = 3_600_000
/** While nothing happens time passes in leaps, so that checks come late. */
const mostLateMs = 12 * hourMs

/** What is held against what, once nothing goes wrong any more and everybody had time. */
export interface Evidence {
  readonly companies: ReadonlyArray<Cnpj>
  /** How many endpoints get each company's events. */
  readonly endpointsEach: number
  readonly books: Books
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
}

const paymentKey = ({ endToEndId, amountCents, paidAt, txid }: Payment | LedgerPayment): string =>
  `payment ${nameOf(endToEndId)} of ${amountCents} cents at ${paidAt} ${txid === undefined ? "to the key" : `for ${nameOf(txid)}`}`

const returnKey = (
  endToEndId: string,
  { id, amountCents, kind }: Pick<Return, "id" | "amountCents" | "kind">,
): string => `return ${nameOf(endToEndId)} by ${id} of ${amountCents} cents (${kind})`

/** The money of some payments, each payment and each settled return by itself. */
const moneyOf = (payments: ReadonlyArray<LedgerPayment>): ReadonlyArray<string> =>
  payments.flatMap((payment) => [
    paymentKey(payment),
    ...payment.returns
      .filter(({ status }) => status === "returned")
      .map((returned) => returnKey(payment.endToEndId, returned)),
  ])

/**
 * The books hold what the bank holds: each payment and each settled return once. What a company received before its first
 * charge may be missing, because it is not ours to know.
 */
const moneyDifferences = (
  bank: ReadonlyArray<LedgerPayment>,
  since: number,
  payments: ReadonlyArray<Payment>,
  returns: ReadonlyArray<Return>,
): ReadonlyArray<Violation> => {
  const inBooks = [...payments.map(paymentKey), ...returns.map((returned) => returnKey(returned.endToEndId, returned))]
  const known = new Set(inBooks)
  const real = new Set(moneyOf(bank))
  const wanted = moneyOf(bank.filter(({ paidAt }) => paidAt >= since))
  const missing = wanted.filter((key) => !known.has(key)).map((key) => `${key} is not in the books`)
  const invented = inBooks.filter((key) => !real.has(key)).map((key) => `${key} is not at the bank`)
  const repeated = inBooks.length > known.size ? ["a payment or return is in the books twice"] : []
  return [...missing, ...invented, ...repeated].map((what) => ({ rule: "booksMatchBank", what }))
}

/** Whether a refused refund of the charge, of all of it or of a part, may be carried out all the same. */
const mayStillReturn = ({ failedRefund, partialRefunds = [], returns }: PaidCharge): boolean =>
  failedRefund?.unanswered !== undefined ||
  partialRefunds.some((part) => part.refund.unanswered && partialRefundStatus(part, returns) === "failed")

/** Whether somebody is to look at the charge again, and does not. */
const checkViolation = (charge: Charge, now: number): Violation | undefined => {
  const { checkAt } = charge
  if (checkAt === undefined) return undefined
  const name = nameOf(charge.id)
  if (checkAt < now - mostLateMs) return { rule: "nothingWaitsForEver", what: `${name} is to be checked, and is not` }
  const isWanted =
    charge._tag === "Pending"
      ? now <= charge.watchUntil + hourMs
      : charge._tag === "Refunding" || (charge._tag === "Paid" && mayStillReturn(charge))
  return isWanted
    ? undefined
    : { rule: "nothingWaitsForEver", what: `${name} is ${charge._tag}, and is still to be checked` }
}

/** A charge in the state that its money and the bank's charge ask for. */
const chargeViolation = (charge: Charge, ledger: Ledger): Violation | undefined => {
  const name = nameOf(charge.id)
  const bank = ledger.charges.get(chargeKey(charge.issuer, charge.txid))
  if (charge._tag === "Refunding") return { rule: "nothingWaitsForEver", what: `${name} is still Refunding` }
  if (charge._tag === "Pending") {
    if (bank?.status === "removed") {
      return { rule: "bankAsksForTerms", what: `${name} is Pending, and was taken away at the bank` }
    }
    const asksFor = bank?.status === "active" ? bank.terms : undefined
    if (asksFor !== undefined && asksFor.amountCents !== charge.amountCents) {
      return {
        rule: "bankAsksForTerms",
        what: `${name} is for ${charge.amountCents} cents, at the bank ${asksFor.amountCents}`,
      }
    }
    return undefined
  }
  if (charge._tag === "Cancelled") {
    return bank?.status === "active"
      ? { rule: "bankAsksForTerms", what: `${name} is Cancelled, and payable at the bank` }
      : undefined
  }
  const isLive = charge.partialRefunds?.some((part) => partialRefundStatus(part, charge.returns) === "refunding")
  if (isLive === true) return { rule: "nothingWaitsForEver", what: `a part of ${name} is still to go back` }
  const back = returnedCents(charge.payment.endToEndId, charge.returns)
  return charge._tag === "Paid" && back >= charge.payment.amountCents
    ? { rule: "stateFollowsFromMoney", what: `${name} is Paid, and all went back` }
    : undefined
}

/** An exception in the state that its money asks for. */
const exceptionViolation = ({ payment, state, returns }: PaymentException): Violation | undefined => {
  const name = nameOf(payment.endToEndId)
  if (state._tag === "Refunding") return { rule: "nothingWaitsForEver", what: `exception ${name} is still Refunding` }
  return state._tag === "Open" && returnedCents(payment.endToEndId, returns) >= payment.amountCents
    ? { rule: "stateFollowsFromMoney", what: `exception ${name} is Open, and all went back` }
    : undefined
}

/** Whether each delivery is over, and what arrived is what is recorded. */
const deliveryViolations = Effect.fnUntraced(function* ({ books, receipts }: Evidence, issuer: Cnpj) {
  const found: Array<Violation> = []
  const deliveries = yield* books.deliveries(issuer)
  for (const { event, endpointId, status } of deliveries) {
    const arrived = receipts.some((one) => one.endpointId === endpointId && isSameEvent(one.event, event))
    const what = `${event.kind} of ${nameOf(event.payment?.chargeId ?? event.id)} to ${endpointId}`
    if (status === "waiting") found.push({ rule: "nothingWaitsForEver", what: `${what} still waits` })
    if (status === "dead") found.push({ rule: "eventsArrive", what: `${what} was given up` })
    if (status === "delivered" && !arrived) {
      found.push({ rule: "eventsArrive", what: `${what} counts as delivered, and never arrived` })
    }
  }
  for (const { event, endpointId } of receipts) {
    const isKnown = deliveries.some((one) => one.endpointId === endpointId && isSameEvent(one.event, event))
    if (event.issuer === issuer && !isKnown) {
      const what = `${event.kind} of ${nameOf(event.payment?.chargeId ?? event.id)} arrived at ${endpointId}, and no such event is recorded`
      found.push({ rule: "eventForEachTransition", what })
    }
  }
  return found
})

/** No receiver is told that a charge is paid after it was told that the money went back. */
const orderViolations = (receipts: ReadonlyArray<Receipt>): ReadonlyArray<Violation> => {
  const refunded = new Set<string>()
  const found: Array<Violation> = []
  for (const { event, endpointId } of receipts) {
    const key = `${event.payment?.chargeId ?? event.id} ${endpointId}`
    if (event.kind === "refunded") refunded.add(key)
    if (event.kind === "paid" && refunded.has(key)) {
      found.push({ rule: "eventsArrive", what: `${nameOf(key)} was told to ${endpointId} as paid after its refund` })
    }
  }
  return found
}

/** A payment that names a pending charge settles it, back or not, unless somebody deals with it as an exception. */
const isLeftOut = ({ payment, state }: PaymentException, charges: ReadonlyArray<Charge>): boolean =>
  (state._tag === "Refunded" || (state._tag === "Open" && state.failedRefund?.unanswered === undefined)) &&
  charges.some(({ _tag, txid }) => _tag === "Pending" && txid === payment.txid)

/** Each payment of the company is a charge's or an exception, and in its state. */
const stateViolations = Effect.fnUntraced(function* (
  { books, ledger }: Evidence,
  issuer: Cnpj,
  charges: ReadonlyArray<Charge>,
  now: number,
) {
  const found: Array<Violation | undefined> = []
  for (const charge of charges) found.push(checkViolation(charge, now), chargeViolation(charge, ledger))
  const settling = new Set(charges.flatMap((charge) => ("payment" in charge ? [charge.payment.endToEndId] : [])))
  for (const payment of yield* books.payments(issuer)) {
    const { endToEndId } = payment
    const name = nameOf(endToEndId)
    const exception = yield* books.exception(issuer, endToEndId)
    found.push(...paymentViolations(name, payment, [], ledger))
    if (exception !== undefined) found.push(...exceptionViolations(exception, ledger), exceptionViolation(exception))
    if (exception !== undefined && isLeftOut(exception, charges)) {
      found.push({ rule: "stateFollowsFromMoney", what: `${name} was paid for a charge that is Pending` })
    }
    if (exception === undefined && !settling.has(endToEndId)) {
      found.push({
        rule: "stateFollowsFromMoney",
        what: `${name} is neither a charge's nor an exception`,
      })
    }
  }
  return found.filter((violation) => violation !== undefined)
})

/** All that is wrong in the end. */
export const finalViolations = Effect.fnUntraced(function* (
  evidence: Evidence,
  now: number,
): Effect.fn.Return<ReadonlyArray<Violation>, StoreUnavailable | TooManyReports> {
  const { companies, books, ledger } = evidence
  const found: Array<Violation> = [...orderViolations(evidence.receipts)]
  for (const issuer of companies) {
    const charges = yield* books.charges(issuer)
    const since = Math.min(...charges.map(({ createdAt }) => createdAt))
    const bank = [...ledger.payments.values()].filter((one) => one.issuer === issuer)
    found.push(...moneyDifferences(bank, since, yield* books.payments(issuer), yield* books.returns(issuer)))
    found.push(...(yield* stateViolations(evidence, issuer, charges, now)))
    found.push(...(yield* deliveryViolations(evidence, issuer)))
  }
  return found
})
