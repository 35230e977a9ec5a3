import {
  type Change,
  type ChargeStore,
  type Committed,
  currentActor,
  type Insertion,
  type NewDelivery,
} from "@pixcharge/core"
import {
  type Charge,
  chargeAt,
  isSameReturn,
  lateRefundMs,
  type Payment,
  type TermsRow,
  withoutPayer,
  withoutShopTexts,
  withPart,
} from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { Deliveries } from "./Deliveries.ts"
import type { Audit } from "./MemoryAudit.ts"
import {
  type ChargeRow,
  type CompanyState,
  findExceptionReason,
  findSettlingPayment,
  findStanding,
  listReturns,
  type MemoryState,
  moveVersion,
  type PaymentRow,
  recordReturns,
  valueAt,
} from "./MemoryState.ts"
import { storing } from "./storing.ts"

type Port = ChargeStore["Service"]

const recordPayment = (company: CompanyState, payment: Payment): void => {
  company.payments.set(payment.endToEndId, { payment, state: { _tag: "Open" }, version: 0 })
}

/**
 * `known`: the payment is recorded for the charge. `foreign`: it belongs to another charge or company, or it was handled as an
 * exception.
 */
type Recorded = "fresh" | "known" | "foreign"

/** Whether no operator resolved the payment and no refund of it is under way. */
const isUndecided = ({ state }: PaymentRow): boolean => state._tag === "Open" || state._tag === "Refunded"

/** Whether the payment is undecided and no refused refund of it can still be executed. */
const isFree = (row: PaymentRow, now: number): boolean => {
  const failedRefund = row.state._tag === "Open" ? row.state.failedRefund : undefined
  return isUndecided(row) && (failedRefund?.unanswered?.at(-1) ?? -Infinity) < now - lateRefundMs
}

/** An unmatched payment becomes the charge's payment, unless it was handled as an exception. */
const recordChargePayment = (company: CompanyState, { id }: Change, payment: Payment): Recorded => {
  const row = company.payments.get(payment.endToEndId)
  if (row === undefined) {
    recordPayment(company, { ...payment, chargeId: id })
    return "fresh"
  }
  if (row.payment.chargeId === id) return "known"
  if (row.payment.chargeId !== undefined || !isFree(row, payment.recordedAt)) return "foreign"
  row.payment = { ...row.payment, chargeId: id, late: payment.late, otherAmount: payment.otherAmount }
  return "known"
}

const mergeRows = (rows: ReadonlyArray<TermsRow>, brought: ReadonlyArray<TermsRow>): ReadonlyArray<TermsRow> => {
  const numbers = new Set(brought.map(({ number }) => number))
  return [...rows.filter(({ number }) => !numbers.has(number)), ...brought].toSorted((a, b) => a.number - b.number)
}

/** A usual move keeps the stored terms and rows. */
const mergeTerms = <Next extends Charge>(before: Charge, next: Next, brought: Change["termsRows"]): Next => {
  if (brought !== undefined) return { ...next, termsRows: mergeRows(before.termsRows ?? [], brought) }
  return before.termsRows === undefined ? next : { ...chargeAt(next, before), termsRows: before.termsRows }
}

/** Returns `next` with the stored payment, returns, partial refunds and terms, and the change's. Erased texts stay erased. */
const merge = (company: CompanyState, before: Charge, moved: Charge, { partialRefund, termsRows }: Change): Charge => {
  const next = mergeTerms(before, moved, termsRows)
  const settling = findSettlingPayment(next)
  const row = settling && company.payments.get(settling.endToEndId)
  const paid: Charge =
    row === undefined
      ? next
      : ({ ...next, payment: row.payment, returns: listReturns(company, row.payment) } as typeof next)
  const { partialRefunds: _, ...others } = paid
  const parts = partialRefund === undefined ? before.partialRefunds : withPart(before.partialRefunds, partialRefund)
  const facts: Charge = { ...others, ...(parts && { partialRefunds: parts }) }
  return before.payerErasedAt === undefined ? facts : withoutPayer(facts, before.payerErasedAt, before)
}

const hasNoShopTexts = ({ reference, metadata }: Charge): boolean => reference === undefined && metadata === undefined

const knowsReturns = (company: CompanyState, payment: Payment, { returns }: Charge): boolean =>
  listReturns(company, payment).every((row) => returns.some((known) => isSameReturn(known, row)))

/** Whether the event's return is new and of the settling payment. */
const hasNewReturn = (
  company: CompanyState,
  row: ChargeRow | undefined,
  { returns }: Change,
  { event }: NewDelivery,
): boolean => {
  const settling = row && findSettlingPayment(row.charge)
  return (
    event.kind === "part-refunded" &&
    settling?.endToEndId === event.payment.endToEndId &&
    returns.some((one) => one.endToEndId === settling.endToEndId && isSameReturn(one, event.part)) &&
    !listReturns(company, settling).some((known) => isSameReturn(known, event.part))
  )
}

const isHeldBack = ({ _tag }: Charge, { event }: NewDelivery): boolean =>
  _tag === "Refunding" && event.kind === "part-refunded"

const mayMove = (
  company: CompanyState,
  row: ChargeRow | undefined,
  { id, expectedVersion, next, payments }: Change,
): boolean => {
  if (row === undefined || next === undefined || row.charge.version !== expectedVersion) return false
  const settling = findSettlingPayment(next)
  if (settling === undefined) return true
  const paid = company.payments.get(settling.endToEndId)
  const bringsIt = payments.some(({ endToEndId }) => endToEndId === settling.endToEndId)
  return paid?.payment.chargeId === id && isUndecided(paid) && (!bringsIt || knowsReturns(company, settling, next))
}

export class MemoryChargeStore implements Port {
  readonly #state: MemoryState
  readonly #outbox: Deliveries
  readonly #audit: Audit

  constructor(state: MemoryState, outbox: Deliveries, audit: Audit) {
    this.#state = state
    this.#outbox = outbox
    this.#audit = audit
  }

  readonly insert: Port["insert"] = (charge) =>
    storing("insert", charge, (): Insertion => {
      const { charges } = this.#state.company(charge.issuer)
      const existing = charges.get(charge.id)
      if (existing !== undefined) return { _tag: "Exists", charge: existing.charge }
      charges.set(charge.id, { charge, checksEndedAt: undefined })
      return { _tag: "Inserted" }
    })

  readonly find: Port["find"] = (issuer, id) => Effect.sync(() => this.#state.company(issuer).charges.get(id)?.charge)

  readonly changed: Port["changed"] = (seen) =>
    Effect.sync(() =>
      seen.flatMap(({ issuer, id, version }) => {
        const charge = this.#state.companies.get(issuer)?.charges.get(id)?.charge
        return charge === undefined || charge.version === version ? [] : [charge]
      }),
    )

  readonly standings: Port["standings"] = (shown) =>
    Effect.sync(() => shown.flatMap((place) => findStanding(this.#state.company(place.issuer), place) ?? []))

  readonly commit: Port["commit"] = (change) =>
    Effect.flatMap(currentActor, (by) => storing("commit", change, () => this.#commit(change, by)))

  readonly recordUnmatched: Port["recordUnmatched"] = (payment, returns = [], exceptions = []) =>
    storing("recordUnmatched", [payment, returns, exceptions], () => {
      const company = this.#state.company(payment.issuer)
      if (company.payments.has(payment.endToEndId) || !this.#claimPayment(payment)) return false
      recordPayment(company, payment)
      for (const endToEndId of recordReturns(company, returns)) moveVersion(company, endToEndId)
      for (const delivery of exceptions) this.#outbox.add(delivery, payment.recordedAt)
      return true
    })

  readonly owners: Port["owners"] = (endToEndIds) =>
    Effect.sync(() =>
      [...new Set(endToEndIds.map((id) => id.toLowerCase()))].flatMap((endToEndId) => {
        const issuer = this.#state.paymentOwners.get(endToEndId)
        return issuer === undefined ? [] : [{ endToEndId, issuer }]
      }),
    )

  #commit(change: Change, by: string | undefined): Committed {
    const company = this.#state.company(change.issuer)
    const row = company.charges.get(change.id)
    if (change.onlyAtVersion === true && row?.charge.version !== change.expectedVersion) {
      return { moved: false, freshPayments: [], foreignPayments: change.payments.map(({ endToEndId }) => endToEndId) }
    }
    const freshPayments: Array<string> = []
    const foreignPayments = new Set<string>()
    for (const payment of change.payments) {
      const recorded = this.#claimPayment(payment) ? recordChargePayment(company, change, payment) : "foreign"
      if (recorded === "fresh") freshPayments.push(payment.endToEndId)
      if (recorded === "foreign") foreignPayments.add(payment.endToEndId)
    }
    const settledBy = row && findSettlingPayment(row.charge)?.endToEndId
    // Decides before recording the returns, because returns raise the version.
    const moved = mayMove(company, row, change)
    const ofReturns = moved ? [] : change.deliveries.filter((delivery) => hasNewReturn(company, row, change, delivery))
    const returned = recordReturns(
      company,
      change.returns.filter(({ endToEndId }) => !foreignPayments.has(endToEndId)),
    )
    if (moved && row && change.next) this.#move(company, row, change.next, change)
    if (moved && change.audit !== undefined) this.#audit.append(change.issuer, by, [change.audit])
    if (ofReturns.length > 0 && row && change.next) this.#queue(row.charge, ofReturns, change.next.updatedAt)
    // The move itself has raised the version of this payment's charge.
    const movedBy = moved && row ? findSettlingPayment(row.charge)?.endToEndId : undefined
    for (const endToEndId of returned) if (endToEndId !== movedBy) moveVersion(company, endToEndId)
    if (change.exceptions)
      this.#publishExceptions(company, change, moved ? [...freshPayments, settledBy] : freshPayments)
    return { moved, freshPayments, foreignPayments: [...foreignPayments] }
  }

  #publishExceptions(
    company: CompanyState,
    { exceptions = [], next }: Change,
    changedPayments: ReadonlyArray<string | undefined>,
  ): void {
    for (const delivery of exceptions) {
      const { endToEndId, reason } = delivery.event.exception
      const row = changedPayments.includes(endToEndId) ? company.payments.get(endToEndId) : undefined
      if (row === undefined || findExceptionReason(company, row) !== reason) continue
      this.#outbox.add(delivery, next?.updatedAt ?? row.payment.recordedAt)
    }
  }

  #claimPayment({ issuer, endToEndId }: Payment): boolean {
    return valueAt(this.#state.paymentOwners, endToEndId.toLowerCase(), () => issuer) === issuer
  }

  #move(company: CompanyState, row: ChargeRow, next: Charge, change: Change): void {
    const { deliveries, unsent } = change
    row.charge = merge(company, row.charge, next, change)
    row.checksEndedAt = undefined
    if (unsent !== undefined) this.#outbox[unsent](next.issuer, next.id, next.updatedAt)
    this.#queue(row.charge, deliveries, next.updatedAt)
  }

  #queue(charge: Charge, deliveries: Change["deliveries"], now: number): void {
    const isErased = charge.payerErasedAt !== undefined && hasNoShopTexts(charge)
    for (const delivery of deliveries) {
      if (isHeldBack(charge, delivery)) continue
      const { event, endpointId } = delivery
      this.#outbox.add({ event: isErased ? withoutShopTexts(event) : event, endpointId }, now)
    }
  }
}
