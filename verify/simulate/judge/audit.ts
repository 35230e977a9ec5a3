import type { DeliveryRecord, StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { Charge, PaymentException } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { chargeRules, exceptionRules, paymentRules } from "./chargeRules.ts"
import type { Evidence } from "./Evidence.ts"
import { eventRules } from "./eventRules.ts"
import type { SeenFacts } from "./expectedEvents.ts"
import { lastPayableAt } from "./marks.ts"
import { finalRules } from "./finalRules.ts"
import type { SeenCompany } from "./finalEvents.ts"
import { bankCharge } from "./money.ts"
import { chargeName, settlingRank, shortName } from "./names.ts"
import { broken, judge, type Violation } from "./rules.ts"

type Audit = Effect.fn.Return<ReadonlyArray<Violation>, StoreUnavailable | TooManyReports>

/** The payments that restored books can have settled the charge with, until a refund proved that `paid` settles it. */
const findMistaken = (paid: LedgerPayment, { payments }: Ledger): ReadonlyArray<LedgerPayment> =>
  [...payments.values()].filter(
    (one) => one.issuer === paid.issuer && one.txid === paid.txid && settlingRank(one) > settlingRank(paid),
  )

/**
 * Audits one charge. Its events are judged only if the charge has the same version before and after they are read,
 * because processes can write during the audit.
 */
export const auditCharge = Effect.fnUntraced(function* (
  evidence: Evidence,
  charge: Charge,
  { wasUnseen, ...known }: Pick<SeenFacts, "cancelledBy" | "isForgotten"> & { readonly wasUnseen: boolean },
): Audit {
  const { books, ledger, accounts } = evidence
  const deliveries = yield* books.deliveries(charge.issuer, charge.id)
  const after = yield* books.charge(charge.issuer, charge.id)
  const hasMoved = after?.version !== charge.version
  const name = chargeName(charge)
  const bank = bankCharge(evidence, charge)
  const endpoints = evidence.endpoints(charge.issuer)
  const paid = "payment" in charge ? ledger.payments.get(charge.payment.endToEndId) : undefined
  const mistaken = known.isForgotten && paid ? findMistaken(paid, ledger) : []
  const seen = { charge, deliveries, endpoints, mistaken, ...known }
  return [
    ...judge(chargeRules, { charge, bank, paid, wasUnseen }),
    ...("payment" in charge ? judge(paymentRules, { ...charge, name, accounts, bank: paid }) : []),
    ...(hasMoved ? [] : judge(eventRules, { ...seen, payableUntil: lastPayableAt(charge, bank) })),
  ]
})

export const auditException = (
  { ledger, accounts }: Evidence,
  exception: PaymentException,
): ReadonlyArray<Violation> => {
  const { payment, state, returns } = exception
  const name = `exception ${shortName(payment.endToEndId)}`
  const bank = ledger.payments.get(payment.endToEndId)
  const refundedAt = state._tag === "Refunded" ? state.refundedAt : undefined
  const seen = { name, payment, returns, accounts, bank, refundedAt }
  return [...judge(paymentRules, seen), ...judge(exceptionRules, exception)]
}

/** A search for a reference finds all of its charges, and no others. */
const judgeReferences = Effect.fnUntraced(function* (
  { books }: Evidence,
  issuer: Cnpj,
  charges: ReadonlyArray<Charge>,
): Audit {
  const wrong: Array<Violation> = []
  for (const reference of new Set(charges.flatMap((charge) => charge.reference ?? []))) {
    const found = new Set((yield* books.charges(issuer, reference)).map(({ id }) => id))
    for (const { id, reference: its } of charges) {
      const what = `a search for ${reference} ${found.has(id) ? "finds" : "misses"} ${shortName(id)}`
      if (found.has(id) !== (its === reference)) wrong.push({ rule: "answersAreStored", what })
    }
  }
  return wrong
})

const judgeAttempts = Effect.fnUntraced(function* (
  { attempts }: Evidence["books"],
  deliveries: ReadonlyArray<DeliveryRecord>,
  made: SeenCompany["deliveriesMade"],
): Audit {
  const wrong: Array<string> = []
  if (attempts === undefined) return []
  for (const one of deliveries) {
    const { event, endpointId } = one
    wrong.push(...made.findWrongRecords(one, yield* attempts(event.issuer, event.id, endpointId)))
  }
  return broken("eventsKeepTheirTime", wrong)
})

/** What the judge knows beside the books of a company. */
type Known = Omit<
  SeenCompany,
  keyof Evidence | "issuer" | "charges" | "payments" | "returns" | "exceptions" | "deliveries"
>

/** Audits everything at the end of a run, when the faults are over and all work is done. */
export const auditAll = Effect.fnUntraced(function* (evidence: Evidence, known: Known): Audit {
  const { companies, books } = evidence
  const found: Array<Violation> = []
  const recorded = new Map<string, Array<string>>()
  for (const issuer of companies) {
    const payments = yield* books.payments(issuer)
    for (const { endToEndId } of payments) recorded.set(endToEndId, [...(recorded.get(endToEndId) ?? []), issuer])
    const all = yield* Effect.forEach(payments, ({ endToEndId }) => books.exception(issuer, endToEndId))
    const exceptions = all.filter((exception) => exception !== undefined)
    const charges = yield* books.charges(issuer)
    found.push(...(yield* judgeReferences(evidence, issuer, charges)))
    const returns = yield* books.returns(issuer)
    const deliveries = yield* books.deliveries(issuer)
    found.push(...(yield* judgeAttempts(books, deliveries, known.deliveriesMade)))
    const endpoints = evidence.endpoints(issuer)
    const its = { issuer, charges, payments, returns, exceptions, deliveries, endpoints }
    found.push(...judge(finalRules, { ...evidence, ...known, ...its }))
    found.push(...exceptions.flatMap((exception) => auditException(evidence, exception)))
  }
  for (const [endToEndId, by] of recorded) {
    const what = `${shortName(endToEndId)} is in the books of ${by.join(" and ")}`
    if (by.length > 1) found.push({ rule: "booksMatchBank", what })
  }
  return found
})
