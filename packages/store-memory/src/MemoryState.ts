import type { PaymentRef } from "@pixcharge/core"
import {
  type Charge,
  type ChargeId,
  type ExceptionReason,
  type ExceptionState,
  isSameReturn,
  type Payment,
  type PaymentException,
  type PaymentStanding,
  type Return,
} from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { Recurrence, RecurrenceId } from "@pixcharge/core/recurrence"

export interface ChargeRow {
  charge: Charge
  /** When the checks ended; undefined while a check is scheduled. */
  checksEndedAt: number | undefined
}

/** `state` is the payment's state as an exception. It counts only if the payment settled no charge. */
export interface PaymentRow {
  payment: Payment
  state: ExceptionState
  version: number
}

export interface RecurrenceRow {
  recurrence: Recurrence
  checkAt: number | undefined
}

export interface CompanyState {
  readonly charges: Map<ChargeId, ChargeRow>
  readonly recurrences: Map<RecurrenceId, RecurrenceRow>
  readonly payments: Map<string, PaymentRow>
  /** The returns by the endToEndId of their payment, which might not be recorded yet. */
  readonly returns: Map<string, ReadonlyArray<Return>>
}

export interface MemoryState {
  readonly companies: ReadonlyMap<Cnpj, CompanyState>
  readonly company: (issuer: Cnpj) => CompanyState
  /** The owners by endToEndId in lower case, because processors write ids in upper or lower case. */
  readonly paymentOwners: Map<string, Cnpj>
}

export const makeMemoryState = (): MemoryState => {
  const companies = new Map<Cnpj, CompanyState>()
  const empty = (): CompanyState => ({
    charges: new Map(),
    recurrences: new Map(),
    payments: new Map(),
    returns: new Map(),
  })
  return {
    companies,
    company: (issuer) => valueAt(companies, issuer, empty),
    paymentOwners: new Map(),
  }
}

export const findSettlingPayment = (charge: Charge): Payment | undefined =>
  charge._tag === "Pending" || charge._tag === "Cancelled" ? undefined : charge.payment

export const listReturns = (company: CompanyState, { endToEndId }: Payment): ReadonlyArray<Return> =>
  company.returns.get(endToEndId) ?? []

export const findExceptionReason = (company: CompanyState, { payment }: PaymentRow): ExceptionReason | undefined => {
  const charge = payment.chargeId && company.charges.get(payment.chargeId)?.charge
  if (charge === undefined) return "unmatched"
  if (charge._tag === "Cancelled") return "cancelledCharge"
  return findSettlingPayment(charge)?.endToEndId === payment.endToEndId ? undefined : "furtherPayment"
}

/** Returns undefined if the payment settled its charge. */
export const toException = (company: CompanyState, row: PaymentRow): PaymentException | undefined => {
  const reason = findExceptionReason(company, row)
  const { payment, state, version } = row
  return reason && { payment, reason, state, version, returns: listReturns(company, payment) }
}

/** Returns undefined for an unrecorded payment. */
export const findStanding = (
  company: CompanyState,
  { issuer, endToEndId, chargeId: named }: PaymentRef,
): PaymentStanding | undefined => {
  const row = company.payments.get(endToEndId)
  if (row === undefined) return undefined
  const { amountCents, chargeId } = row.payment
  const id = chargeId ?? named
  const charge = id && company.charges.get(id)?.charge
  const exception = toException(company, row)
  return {
    issuer,
    endToEndId,
    amountCents,
    ...(chargeId !== undefined && { chargeId }),
    ...(charge !== undefined && { charge: charge._tag }),
    ...(exception !== undefined && { exception: exception.state._tag }),
    ...(exception?.state._tag === "Resolved" && exception.state.returnedAt !== undefined && { isReturned: true }),
    returns: listReturns(company, row.payment),
  }
}

const byTime = (a: Return, b: Return): number => a.returnedAt - b.returnedAt || (a.id < b.id ? -1 : 1)

/** Records returns; returns the endToEndIds of the payments with new returns. */
export const recordReturns = (company: CompanyState, returns: ReadonlyArray<Return>): ReadonlySet<string> => {
  const fresh = new Set<string>()
  for (const fact of returns) {
    const known = company.returns.get(fact.endToEndId) ?? []
    if (known.some((row) => isSameReturn(row, fact))) continue
    fresh.add(fact.endToEndId)
    const all = [...known, fact].toSorted(byTime)
    company.returns.set(fact.endToEndId, all)
    const row = company.payments.get(fact.endToEndId)
    const settled = row && findSettledCharge(company, row)
    if (settled !== undefined) settled.charge = { ...settled.charge, returns: all }
  }
  return fresh
}

const findSettledCharge = (company: CompanyState, { payment }: PaymentRow): ChargeRow | undefined => {
  const row = payment.chargeId && company.charges.get(payment.chargeId)
  return row && findSettlingPayment(row.charge)?.endToEndId === payment.endToEndId ? row : undefined
}

/** Raises the version of the payment's charge or exception, because earlier decisions on it are stale. */
export const moveVersion = (company: CompanyState, endToEndId: string): void => {
  const row = company.payments.get(endToEndId)
  if (row === undefined) return
  const settled = findSettledCharge(company, row)
  if (settled === undefined) row.version += 1
  else settled.charge = { ...settled.charge, version: settled.charge.version + 1 }
}

export const valueAt = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
