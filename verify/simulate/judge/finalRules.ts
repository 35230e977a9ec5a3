import type { Charge, PaidCharge, Payment, PaymentException, Return } from "@pixcharge/core/charges"
import type { LedgerCharge, LedgerPayment } from "@pixcharge/simulated-bank"
import { describeEvent, eventRulesAtEnd, isCompared } from "./finalEvents.ts"
import { backCents, bankCharge, bankKey, isPartBack, liveParts, returnableUntil } from "./money.ts"
import { shortName } from "./names.ts"
import { mayBeAdopted, wasException } from "./chargeRules.ts"
import { type Rules, reportIf } from "./rules.ts"
import type { SeenCompany } from "./finalEvents.ts"

const hourMs = 3_600_000
/** How late a check can be at the end, because idle time passes in leaps. */
const maxLateMs = 12 * hourMs

type Row = Pick<Return, "endToEndId" | "id" | "amountCents" | "kind">

const paymentKey = ({ endToEndId, amountCents, paidAt, txid }: Payment | LedgerPayment): string =>
  `payment ${shortName(endToEndId)} of ${amountCents} cents at ${paidAt} ${txid === undefined ? "to the key" : `for ${shortName(txid)}`}`

const returnKey = ({ endToEndId, id, amountCents, kind }: Row): string =>
  `return ${shortName(endToEndId)} by ${id} of ${amountCents} cents (${kind})`

const listMoney = (payments: ReadonlyArray<LedgerPayment>): ReadonlyArray<string> =>
  payments.flatMap((payment) => [
    paymentKey(payment),
    ...payment.returns
      .filter(({ status }) => status === "returned")
      .map(({ id, amountCents, kind }) => returnKey({ endToEndId: payment.endToEndId, id, amountCents, kind })),
  ])

/**
 * The paid charges that a restore has lost. A charge whose key belongs to another company now isn't adopted (decision
 * 59), and neither is one with other fees.
 */
const lostCharges = (seen: SeenCompany): ReadonlyArray<string> =>
  seen.restored
    .filter((one) => one.issuer === seen.issuer && bankCharge(seen, one)?.status === "completed")
    .filter(({ id }) => !seen.charges.some((charge) => charge.id === id))
    .filter((one) => !seen.accounts.isKeyOfAnother(seen.issuer, bankKey(seen, one)))
    .filter((one) => !seen.terms.canDiffer(one, bankCharge(seen, one)))
    .map(({ txid }) => `${shortName(txid)} was paid, but is lost`)

const booksMatchBank = (seen: SeenCompany): ReadonlyArray<string> => {
  const { issuer, ledger, accounts, payments, returns } = seen
  const bank = [...ledger.payments.values()].filter((one) => accounts.mayOwn(issuer, one))
  const inBooks = [...payments.map(paymentKey), ...returns.map(returnKey)]
  const known = new Set(inBooks)
  const real = new Set(listMoney(bank))
  const wanted = listMoney(bank.filter((one) => accounts.owners(one).length === 1 && isCompared(seen, one)))
  return [
    ...wanted.filter((key) => !known.has(key)).map((key) => `${key} is not in the books`),
    ...inBooks.filter((key) => !real.has(key)).map((key) => `${key} is not at the bank`),
    ...reportIf(inBooks.length > known.size, "a payment or return is in the books twice"),
    ...lostCharges(seen),
  ]
}

/** True if the bank can still make a refused refund of the charge or of a part. */
const mayStillReturn = ({ failedRefund, partialRefunds = [], returns }: PaidCharge): boolean =>
  failedRefund?.unanswered !== undefined ||
  partialRefunds.some((part) => part.refund.unanswered !== undefined && !isPartBack(part, returns))

/** True until the charge's watch and refund are over. */
const isToBeChecked = (charge: Charge, now: number): boolean => {
  if (charge._tag === "Pending") return now <= charge.watchUntil + hourMs
  return (
    charge._tag === "Refunding" || (charge._tag === "Paid" && (mayStillReturn(charge) || liveParts(charge).length > 0))
  )
}

const waitingCharge = (charge: Charge, now: number): ReadonlyArray<string> => {
  const name = shortName(charge.txid)
  const { _tag, checkAt } = charge
  const isDue = checkAt !== undefined
  return [
    ...reportIf(isDue && checkAt < now - maxLateMs, `${name} has an overdue check`),
    ...reportIf(isDue && !isToBeChecked(charge, now), `${name} is ${_tag}, but still has a check`),
    ...reportIf(!isDue && _tag === "Pending" && now < charge.watchUntil, `${name} is Pending, but has no check`),
    ...reportIf(_tag === "Refunding", `${name} is still Refunding`),
    ...reportIf(_tag === "Paid" && liveParts(charge).length > 0, `a part of ${name} is still to be returned`),
  ]
}

/** Only the bank's API shows it. */
const hasOtherValidity = ({ createdAt, payableUntil }: Charge, terms: LedgerCharge["terms"] | undefined): boolean => {
  const { expiracao } = terms?.body?.calendario ?? {}
  return expiracao !== undefined && Math.abs(Number(expiracao) * 1_000 - payableUntil + createdAt) > 1_000
}

export const otherAtBank = (
  charge: Charge,
  seen: Pick<SeenCompany, "ledger" | "accounts" | "terms">,
): ReadonlyArray<string> => {
  const name = shortName(charge.txid)
  const bank = bankCharge(seen, charge)
  const terms = bank?.status === "active" ? bank.terms : undefined
  // Ignores what the bank changes after the watch, because it doesn't affect payers.
  const isPending = charge._tag === "Pending" && (bank?.changedAt ?? 0) < charge.watchUntil
  return [
    ...reportIf(isPending && bank?.status === "removed", `${name} is Pending, but was removed at the bank`),
    ...reportIf(
      isPending && terms !== undefined && terms.amountCents !== charge.amountCents,
      `${name} is for ${charge.amountCents} cents, at the bank ${terms?.amountCents}`,
    ),
    ...reportIf(
      isPending && terms !== undefined && terms.dueDate !== charge.dueDate,
      `${name} is due on ${charge.dueDate}, at the bank on ${terms?.dueDate}`,
    ),
    ...reportIf(isPending && hasOtherValidity(charge, terms), `${name} has another validity at the bank`),
    ...reportIf(charge._tag === "Cancelled" && terms !== undefined, `${name} is Cancelled, but payable at the bank`),
    ...(isPending && bank?.status === "active" ? seen.terms.judgeBooks(charge, bank) : []),
  ]
}

/** Lists of a charge's payments begin this long before its creation, because clocks differ. */
const listedBeforeMs = 300_000

/**
 * True if the exception should have settled a charge. A payment that names a pending charge settles it, returned or
 * not, unless it is decided as an exception.
 */
const isLeftOut = (exception: PaymentException, charges: ReadonlyArray<Charge>): boolean =>
  mayBeAdopted(exception) &&
  charges.some(
    ({ _tag, txid, createdAt }) =>
      _tag === "Pending" && txid === exception.payment.txid && exception.payment.paidAt > createdAt - listedBeforeMs,
  )

/** True if the settling payment was returned as an exception, and another payment of the charge wasn't. */
const isWronglySettled = (charge: Charge, exceptions: ReadonlyArray<PaymentException>): boolean =>
  "payment" in charge &&
  wasException(charge) &&
  exceptions.some((one) => one.payment.txid === charge.txid && !wasException(one))

/** Each payment settles a charge or is an exception, in the state that follows from its money. */
const stateFollowsFromMoney = (seen: SeenCompany): ReadonlyArray<string> => {
  const { charges, payments, exceptions } = seen
  const settling = new Set(charges.flatMap((charge) => ("payment" in charge ? [charge.payment.endToEndId] : [])))
  const dealtWith = new Set(exceptions.map(({ payment }) => payment.endToEndId))
  return [
    ...charges.flatMap((charge) =>
      reportIf(
        charge._tag === "Paid" && backCents(charge.payment, charge.returns) >= charge.payment.amountCents,
        `${shortName(charge.txid)} is Paid, but its whole payment was returned`,
      ),
    ),
    ...charges.flatMap((charge) =>
      reportIf(isWronglySettled(charge, exceptions), `${shortName(charge.txid)} is settled by an exception's payment`),
    ),
    ...payments.flatMap(({ endToEndId: id }) =>
      reportIf(
        !settling.has(id) && !dealtWith.has(id),
        `${shortName(id)} neither settles a charge nor is an exception`,
      ),
    ),
    ...exceptions.flatMap((exception) => {
      const { payment, state, returns } = exception
      const isBack = isCompared(seen, payment) && backCents(payment, returns) >= payment.amountCents
      const name = shortName(payment.endToEndId)
      return [
        ...reportIf(state._tag === "Open" && isBack, `exception ${name} is Open, but its whole payment was returned`),
        ...reportIf(isLeftOut(exception, charges), `${name} names a charge that is still Pending`),
      ]
    }),
  ]
}

/**
 * Finds repeated refund requests without a refund. The bank makes each possible refund in the end, under a new id if it
 * refused the previous one.
 */
const refusedForEver = (seen: SeenCompany): ReadonlyArray<string> => {
  const { issuer, ledger, accounts, charges, exceptions, repeatedRequests: askedAgain, now } = seen
  const mayGoBack = (payment: Payment): boolean => {
    const { txid, pixKey } = ledger.payments.get(payment.endToEndId) ?? {}
    const keys = [pixKey, txid && bankKey(seen, { issuer, txid })]
    return !keys.some((key) => accounts.isKeyOfAnother(issuer, key)) && now < returnableUntil(payment) + 60_000
  }
  const whole = charges.flatMap((charge) => {
    if (charge._tag !== "Paid" || !mayGoBack(charge.payment)) return []
    const { txid, payment, returns, partialRefunds = [] } = charge
    const back = backCents(payment, returns)
    const name = shortName(charge.txid)
    return [
      ...reportIf(askedAgain.has(txid) && back === 0, `${name} was requested again, but is not refunded`),
      ...partialRefunds.flatMap((part) => {
        const isWanted = askedAgain.has(`${txid} ${part.key}`) && back + part.amountCents <= payment.amountCents
        return reportIf(
          isWanted && !isPartBack(part, returns),
          `part ${part.key} of ${name} was requested again, but is not returned`,
        )
      }),
    ]
  })
  const failed = exceptions.filter(
    ({ payment, state, returns }) =>
      state._tag === "Open" &&
      askedAgain.has(`${issuer} ${payment.endToEndId}`) &&
      backCents(payment, returns) === 0 &&
      mayGoBack(payment),
  )
  return [
    ...whole,
    ...failed.map(
      ({ payment }) => `exception ${shortName(payment.endToEndId)} was requested again, but is not refunded`,
    ),
  ]
}

export const finalRules: Rules<SeenCompany> = {
  booksMatchBank,
  stateFollowsFromMoney,
  nothingWaitsForEver: ({ charges, exceptions, deliveries, now }) => [
    ...charges.flatMap((charge) => waitingCharge(charge, now)),
    ...exceptions.flatMap(({ payment, state }) =>
      reportIf(state._tag === "Refunding", `exception ${shortName(payment.endToEndId)} is still Refunding`),
    ),
    ...deliveries.flatMap((one) =>
      reportIf(one.status === "waiting", `${describeEvent(one)} to ${one.endpointId} still waits`),
    ),
  ],
  refundsFollowRequests: refusedForEver,
  bankAsksForTerms: (seen) => seen.charges.flatMap((charge) => otherAtBank(charge, seen)),
  ...eventRulesAtEnd,
}
