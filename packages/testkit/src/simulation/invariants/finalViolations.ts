import type { StoreUnavailable } from "@pixcharge/core"
import { type Charge, type Payment, type PaymentException, type Return, returnedCents } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { bankChargeKey, type BankLedger, type BankPayment, returnedByBank } from "../bank/BankLedger.ts"
import type { Books } from "../Books.ts"
import { nameOf } from "../names.ts"
import type { Receipt } from "../Receivers.ts"
import type { Violation } from "./Violation.ts"

/** What is held against what, once nothing goes wrong any more and everybody had time. */
export interface Evidence {
  readonly companies: ReadonlyArray<Cnpj>
  /** How many endpoints get each company's events. */
  readonly endpointsEach: number
  readonly books: Books
  readonly ledger: BankLedger
  readonly receipts: ReadonlyArray<Receipt>
}

const returnKey = (endToEndId: string, id: string, amountCents: number, kind: string): string =>
  `${nameOf(endToEndId)} by ${id} of ${amountCents} cents (${kind})`

const differences = (
  inBank: ReadonlyArray<string>,
  inBooks: ReadonlyArray<string>,
  what: string,
): ReadonlyArray<Violation> => {
  const bank = new Set(inBank)
  const books = new Set(inBooks)
  const missing = inBank.filter((key) => !books.has(key)).map((key) => `${what} ${key} is not in the books`)
  const invented = inBooks.filter((key) => !bank.has(key)).map((key) => `${what} ${key} is not at the bank`)
  const repeated = inBooks.length > books.size ? [`a ${what} is in the books twice`] : []
  return [...missing, ...invented, ...repeated].map((text) => ({ rule: "booksMatchBank", what: text }))
}

/** The books hold what the bank holds: each payment and each settled return once. */
const moneyDifferences = (
  bank: ReadonlyArray<BankPayment>,
  payments: ReadonlyArray<Payment>,
  returns: ReadonlyArray<Return>,
): ReadonlyArray<Violation> => [
  ...differences(
    bank.map(({ endToEndId, amountCents, paidAt }) => `${nameOf(endToEndId)} of ${amountCents} cents at ${paidAt}`),
    payments.map(({ endToEndId, amountCents, paidAt }) => `${nameOf(endToEndId)} of ${amountCents} cents at ${paidAt}`),
    "payment",
  ),
  ...differences(
    bank.flatMap(({ endToEndId, returns: all }) =>
      all
        .filter(({ status }) => status === "returned")
        .map(({ id, amountCents, kind }) => returnKey(endToEndId, id, amountCents, kind)),
    ),
    returns.map(({ endToEndId, id, amountCents, kind }) => returnKey(endToEndId, id, amountCents, kind)),
    "return",
  ),
]

/** A charge in the state that its money and the bank's charge ask for. */
const chargeViolation = (charge: Charge, ledger: BankLedger, isWaitedFor: boolean): Violation | undefined => {
  const name = nameOf(charge.id)
  const bank = ledger.charges.get(bankChargeKey(charge.issuer, charge.txid))
  if (charge._tag === "Refunding") return { rule: "nothingWaitsForEver", what: `${name} is still Refunding` }
  if (charge._tag === "Pending") {
    if (!isWaitedFor && charge.checkAt !== undefined) {
      return { rule: "nothingWaitsForEver", what: `${name} is still checked after its watch` }
    }
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
  const back = returnedCents(charge.payment.endToEndId, charge.returns)
  return charge._tag === "Paid" && back >= charge.payment.amountCents
    ? { rule: "stateFollowsFromMoney", what: `${name} is Paid, and all went back` }
    : undefined
}

const exceptionViolation = ({ payment, state, returns }: PaymentException): Violation | undefined => {
  const name = nameOf(payment.endToEndId)
  const isWhole = returnedCents(payment.endToEndId, returns) >= payment.amountCents
  if (state._tag === "Refunding") return { rule: "nothingWaitsForEver", what: `exception ${name} is still Refunding` }
  if (state._tag === "Refunded" && !isWhole) {
    return { rule: "stateFollowsFromMoney", what: `exception ${name} is Refunded, and not all went back` }
  }
  return state._tag === "Open" && isWhole
    ? { rule: "stateFollowsFromMoney", what: `exception ${name} is Open, and all went back` }
    : undefined
}

/** Whether each delivery is over, and what arrived is what is recorded. */
const deliveryViolations = Effect.fnUntraced(function* ({ books, receipts }: Evidence, issuer: Cnpj) {
  const found: Array<Violation> = []
  for (const { event, endpointId, status } of yield* books.deliveries(issuer)) {
    const arrived = receipts.filter((one) => one.event.id === event.id && one.endpointId === endpointId)
    const what = `${event.kind} of ${nameOf(event.payment?.chargeId ?? event.id)} to ${endpointId}`
    if (status === "waiting") found.push({ rule: "nothingWaitsForEver", what: `${what} still waits` })
    if (status === "dead") found.push({ rule: "eventsArrive", what: `${what} was given up` })
    if (status === "delivered" && arrived.length === 0) {
      found.push({ rule: "eventsArrive", what: `${what} counts as delivered, and never arrived` })
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

/** A payment that names a pending charge settles it, unless somebody has dealt with it as an exception. */
const isLeftOut = ({ payment, state }: PaymentException, charges: ReadonlyArray<Charge>): boolean =>
  state._tag === "Open" &&
  state.failedRefund?.unanswered === undefined &&
  charges.some(({ _tag, txid }) => _tag === "Pending" && txid === payment.txid)

/** Each payment of the company is a charge's or an exception, and in its state. */
const stateViolations = Effect.fnUntraced(function* (
  { books, ledger }: Evidence,
  issuer: Cnpj,
  charges: ReadonlyArray<Charge>,
  now: number,
) {
  const found: Array<Violation | undefined> = []
  for (const charge of charges) found.push(chargeViolation(charge, ledger, now <= charge.watchUntil + 3_600_000))
  const settling = new Set(charges.flatMap((charge) => ("payment" in charge ? [charge.payment.endToEndId] : [])))
  for (const { endToEndId } of yield* books.payments(issuer)) {
    const exception = yield* books.exception(issuer, endToEndId)
    if (exception !== undefined) found.push(exceptionViolation(exception))
    if (exception !== undefined && isLeftOut(exception, charges)) {
      found.push({ rule: "stateFollowsFromMoney", what: `${nameOf(endToEndId)} was paid for a charge that is Pending` })
    }
    if (exception === undefined && !settling.has(endToEndId)) {
      found.push({
        rule: "stateFollowsFromMoney",
        what: `${nameOf(endToEndId)} is neither a charge's nor an exception`,
      })
    }
  }
  return found.filter((violation) => violation !== undefined)
})

/** All that is wrong in the end. */
export const finalViolations = Effect.fnUntraced(function* (
  evidence: Evidence,
  now: number,
): Effect.fn.Return<ReadonlyArray<Violation>, StoreUnavailable> {
  const { companies, books, ledger } = evidence
  const found: Array<Violation> = [...orderViolations(evidence.receipts)]
  for (const issuer of companies) {
    const charges = yield* books.charges(issuer)
    const since = Math.min(...charges.map(({ createdAt }) => createdAt))
    // What a company received before its first charge is not ours to know.
    const bank = [...ledger.payments.values()].filter((one) => one.issuer === issuer && one.paidAt >= since)
    const known = new Set(bank.map(({ endToEndId }) => endToEndId))
    const isSince = ({ endToEndId }: { readonly endToEndId: string }) => known.has(endToEndId)
    const payments = yield* books.payments(issuer)
    const returns = yield* books.returns(issuer)
    found.push(...moneyDifferences(bank, payments.filter(isSince), returns.filter(isSince)))
    found.push(...(yield* stateViolations(evidence, issuer, charges, now)))
    found.push(...(yield* deliveryViolations(evidence, issuer)))
  }
  for (const payment of ledger.payments.values()) {
    if (returnedByBank(payment) > payment.amountCents) {
      found.push({
        rule: "neverMoreBackThanPaid",
        what: `more than was paid went back for ${nameOf(payment.endToEndId)}`,
      })
    }
  }
  return found
})
