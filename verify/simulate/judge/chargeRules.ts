import type { Charge, Payment, PaymentException, Refund, Return } from "@pixcharge/core/charges"
import type { LedgerCharge, LedgerPayment } from "@pixcharge/simulated-bank"
import { findWrongMarks } from "./marks.ts"
import { backCents, isTooLate } from "./money.ts"
import { refundFamily, shortName, txidOf } from "./names.ts"
import { reportIf, type Rules } from "./rules.ts"
import type { Accounts } from "./Accounts.ts"

const dayMs = 86_400_000
const immediateMs = 600_000
/** The bank reports a charge's creation in whole seconds. */
const secondMs = 1_000

export interface SeenCharge {
  readonly charge: Charge
  readonly bank: LedgerCharge | undefined
  /** The settling payment at the bank. */
  readonly paid: LedgerPayment | undefined
  /** True if a process could not look up the charge when it recorded the payment. */
  readonly wasUnseen: boolean
}

const chargeRefunds = (charge: Charge): ReadonlyArray<Refund> => [
  ...("refund" in charge && charge.refund !== undefined ? [charge.refund] : []),
  ...("failedRefund" in charge && charge.failedRefund !== undefined ? [charge.failedRefund] : []),
  ...(charge.partialRefunds ?? []).map(({ refund }) => refund),
]

/** The rules of a charge, but not of its payment and events. */
export const chargeRules: Rules<SeenCharge> = {
  stateFollowsFromMoney: ({ charge, bank, paid, wasUnseen }) => {
    const name = shortName(charge.txid)
    if (!("payment" in charge)) return []
    const { _tag, payment, returns, txid } = charge
    const isUnpaid = ["Pending", "Cancelled"].includes(_tag)
    const back = backCents(payment, returns)
    return [
      ...reportIf(isUnpaid, `${name} is ${_tag} with a payment`),
      ...findWrongMarks({ charge, bank, readRevision: paid?.revision, wasUnseen }).map((what) => `${name}: ${what}`),
      ...reportIf(
        payment.txid !== txid,
        `${name} is settled by ${shortName(payment.endToEndId)}, which names another charge`,
      ),
      ...reportIf(
        _tag === "Refunded" && back < payment.amountCents,
        `${name} is Refunded, but only ${back} of ${payment.amountCents} cents were returned`,
      ),
    ]
  },
  refundsFollowRequests: ({ charge }) => {
    if (!("payment" in charge)) return []
    const { payment } = charge
    const late = chargeRefunds(charge).find((refund) => isTooLate(refund, payment))
    return reportIf(late !== undefined, `the refund ${late?.id} of ${shortName(charge.txid)} was begun after 90 days`)
  },
  bankAsksForTerms: ({ charge, bank }) => {
    const name = shortName(charge.txid)
    const { createdAt, payableUntil, watchUntil } = charge
    const issued = charge.termsRows?.[0] ?? charge
    const isLong = Math.abs(issued.payableUntil - createdAt - immediateMs) > secondMs
    return [
      ...reportIf(
        charge._tag === "Cancelled" && bank?.status === "completed",
        `${name} is Cancelled, but was paid at the bank`,
      ),
      ...reportIf(
        issued.dueDate === undefined && isLong,
        `${name} is payable for ${issued.payableUntil - createdAt} ms`,
      ),
      ...reportIf(watchUntil < payableUntil + dayMs, `${name} is watched for less than a day after it expires`),
    ]
  },
}

export interface SeenPayment {
  readonly name: string
  readonly payment: Payment
  readonly returns: ReadonlyArray<Return>
  readonly accounts: Accounts
  readonly bank: LedgerPayment | undefined
  /** When its whole amount was back, by the books. Epoch milliseconds. */
  readonly refundedAt?: number | undefined
}

const isSamePayment = (
  bank: LedgerPayment,
  accounts: Accounts,
  { issuer, txid, amountCents, paidAt, chargeId }: Payment,
): boolean =>
  accounts.mayOwn(issuer, bank) &&
  bank.txid === txid &&
  bank.amountCents === amountCents &&
  bank.paidAt === paidAt &&
  (chargeId === undefined || txidOf(issuer, chargeId) === txid)

const isSameReturn = ({ endToEndId, returns }: LedgerPayment, { issuer }: Payment, row: Return): boolean =>
  row.issuer === issuer &&
  row.endToEndId === endToEndId &&
  returns.some(
    ({ id, kind, status, amountCents, returnedAt = 0 }) =>
      id === row.id &&
      kind === row.kind &&
      status === "returned" &&
      amountCents === row.amountCents &&
      Math.abs(returnedAt - row.returnedAt) < secondMs,
  )

/** True if the payment was returned by a refund of it as an exception. */
export const wasException = ({ payment, returns }: Pick<PaymentException, "payment" | "returns">): boolean =>
  returns.some(({ id }) => refundFamily(id) === `${payment.endToEndId}X`)

/**
 * True if the payment settles its charge as soon as the charge is known: it isn't decided as an exception, and no
 * refund of it can be under way.
 */
export const mayBeAdopted = (exception: PaymentException): boolean => {
  const { state } = exception
  if (state._tag === "Open") return state.failedRefund?.unanswered === undefined
  return state._tag === "Refunded" && !wasException(exception)
}

export const paymentRules: Rules<SeenPayment> = {
  booksMatchBank: ({ name, payment, returns, accounts, bank }) => [
    ...reportIf(
      bank === undefined || !isSamePayment(bank, accounts, payment),
      `${name} has a payment that differs from the bank's or is not at the bank`,
    ),
    ...returns
      .filter((row) => bank !== undefined && !isSameReturn(bank, payment, row))
      .map(({ id }) => `${name} has a return ${id} that the bank doesn't have`),
    ...reportIf(new Set(returns.map(({ id }) => id)).size < returns.length, `${name} has a return twice`),
  ],
  neverMoreBackThanPaid: ({ name, payment, returns }) => {
    const back = backCents(payment, returns)
    return reportIf(back > payment.amountCents, `${name} has ${back} cents back of ${payment.amountCents}`)
  },
  stateFollowsFromMoney: ({ name, refundedAt, bank }) => {
    const lastAt = Math.max(
      ...(bank?.returns ?? []).map(({ status, returnedAt = 0 }) => (status === "returned" ? returnedAt : 0)),
    )
    const isOff = refundedAt !== undefined && bank !== undefined && Math.abs(refundedAt - lastAt) >= secondMs
    return reportIf(isOff, `${name} was refunded at ${refundedAt}, but its last return was made at ${lastAt}`)
  },
}

export const exceptionRules: Rules<PaymentException> = {
  refundsFollowRequests: ({ payment, state }) => {
    const refund = state._tag === "Refunding" ? state.refund : state._tag === "Open" ? state.failedRefund : undefined
    const isLate = refund !== undefined && isTooLate(refund, payment)
    return reportIf(isLate, `the refund ${refund?.id} of ${shortName(payment.endToEndId)} was begun after 90 days`)
  },
  stateFollowsFromMoney: ({ payment, state, returns }) =>
    reportIf(
      state._tag === "Refunded" && backCents(payment, returns) < payment.amountCents,
      `exception ${shortName(payment.endToEndId)} is Refunded, but not all of it was returned`,
    ),
}
