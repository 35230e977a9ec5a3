import { type Change, ChargeStore, type Committed, type Insertion } from "@pixcharge/core"
import type { Charge, Payment, PendingCharge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import {
  type Books,
  type ChargeRow,
  type CompanyBooks,
  endChecks,
  type PaymentRow,
  recordReturns,
  refreshDesk,
  returnsOf,
  settlingPaymentOf,
  touch,
} from "./Books.ts"
import type { DeliveryQueue } from "./DeliveryQueue.ts"
import { storing } from "./storing.ts"

const recordPayment = (books: CompanyBooks, payment: Payment): PaymentRow => {
  const row: PaymentRow = { payment, state: { _tag: "Open" }, version: 0 }
  books.payments.set(payment.endToEndId, row)
  books.paymentsByMoment.add(row)
  return row
}

type Recorded = "fresh" | "known" | "foreign"

/** A refund that was refused may be carried out for a day after a call for it that has no answer. */
const unansweredForMs = 86_400_000

/** Nobody has resolved the payment or returns it, nor may a refund that was refused be carried out yet. */
const isFree = ({ state }: PaymentRow, now: number): boolean =>
  state._tag === "Open" && (state.failedRefund?.unanswered?.at(-1) ?? -Infinity) < now - unansweredForMs

/** Records a charge's payment; one that was unmatched becomes the charge's while nobody has dealt with it at the desk. */
const recordChargePayment = (books: CompanyBooks, { id }: Change, payment: Payment): Recorded => {
  const row = books.payments.get(payment.endToEndId)
  if (row === undefined) {
    recordPayment(books, { ...payment, chargeId: id })
    return "fresh"
  }
  if (row.payment.chargeId === id) return "known"
  if (row.payment.chargeId !== undefined || !isFree(row, payment.recordedAt)) return "foreign"
  row.payment = { ...row.payment, chargeId: id, late: payment.late, otherAmount: payment.otherAmount }
  return "known"
}

/** The charge after a move as it is found later: facts from their rows, and a payer once erased stays so. */
const merge = (books: CompanyBooks, before: Charge, next: Charge): Charge => {
  const settling = settlingPaymentOf(next)
  const row = settling && books.payments.get(settling.endToEndId)
  const facts: Charge =
    row === undefined
      ? next
      : ({ ...next, payment: row.payment, returns: returnsOf(books, row.payment) } as typeof next)
  if (before.payerErasedAt === undefined || facts.payer === undefined) return facts
  const { payer: _, ...rest } = facts
  return { ...rest, payerErasedAt: before.payerErasedAt }
}

const mayMove = (books: CompanyBooks, row: ChargeRow | undefined, { id, expectedVersion, next }: Change): boolean => {
  if (row === undefined || next === undefined || row.charge.version !== expectedVersion) return false
  const settling = settlingPaymentOf(next)
  return settling === undefined || books.payments.get(settling.endToEndId)?.payment.chargeId === id
}

/** Charges, payments and returns in this process. A call is one step of JavaScript: nothing comes between its parts. */
export const makeChargeStore = (books: Books, queue: DeliveryQueue): ChargeStore["Service"] => {
  const schedule = (row: ChargeRow): void =>
    row.charge.checkAt === undefined ? books.checks.delete(row) : books.checks.set(row)

  const insert = (charge: PendingCharge): Insertion => {
    const company = books.of(charge.issuer)
    const taken = company.charges.get(charge.id)
    if (taken !== undefined) return { _tag: "Exists", charge: taken.charge }
    const row: ChargeRow = { charge, archived: false }
    company.charges.set(charge.id, row)
    company.chargesByMoment.add(row)
    schedule(row)
    return { _tag: "Inserted" }
  }

  const move = (company: CompanyBooks, row: ChargeRow, next: Charge, { deliveries, unsent }: Change): void => {
    row.charge = merge(company, row.charge, next)
    endChecks(books, row, undefined)
    schedule(row)
    if (unsent === "supersede") queue.supersede(next.issuer, next.id, next.updatedAt)
    if (unsent === "restore") queue.restore(next.issuer, next.id, next.updatedAt)
    for (const delivery of deliveries) queue.add(delivery, next.updatedAt)
  }

  const commit = (change: Change): Committed => {
    const company = books.of(change.issuer)
    const row = company.charges.get(change.id)
    const freshPayments: Array<string> = []
    const foreignPayments = new Set<string>()
    for (const payment of change.payments) {
      const recorded = recordChargePayment(company, change, payment)
      if (recorded === "fresh") freshPayments.push(payment.endToEndId)
      if (recorded === "foreign") foreignPayments.add(payment.endToEndId)
    }
    // Judged before the facts below move the version.
    const moved = mayMove(company, row, change)
    const returned = recordReturns(company, change.returns)
    if (moved && row && change.next) move(company, row, change.next, change)
    const movedBy = moved && row ? settlingPaymentOf(row.charge)?.endToEndId : undefined
    for (const endToEndId of returned) if (endToEndId !== movedBy) touch(company, endToEndId)
    // Whether a payment is an exception depends on the charge as it is after the move.
    for (const { endToEndId } of change.payments) {
      const recorded = company.payments.get(endToEndId)
      if (recorded) refreshDesk(company, recorded)
    }
    return { moved, freshPayments, foreignPayments: [...foreignPayments] }
  }

  return ChargeStore.of({
    insert: (charge) => storing("insert", charge, () => insert(charge)),
    find: (issuer, id) => Effect.sync(() => books.of(issuer).charges.get(id)?.charge),
    commit: (change) => storing("commit", change, () => commit(change)),
    recordUnmatched: (payment) =>
      storing("recordUnmatched", payment, () => {
        const company = books.of(payment.issuer)
        if (company.payments.has(payment.endToEndId)) return false
        refreshDesk(company, recordPayment(company, payment))
        return true
      }),
  })
}
