import type { ExceptionReason, ExceptionState, PaymentException } from "@pixcharge/core"
import type { Charge, ChargeId, Payment, Return } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import { makeSchedule, type Schedule } from "./Schedule.ts"

/** A charge, as `find` answers with it. */
export interface ChargeRow {
  charge: Charge
  archived: boolean
  /** When its last check was made; undefined while one is to come. */
  checksEndedAt?: number | undefined
}

/** A payment and, if it settled no charge, what became of it as an exception. */
export interface PaymentRow {
  payment: Payment
  state: ExceptionState
  version: number
}

/** What one company has. */
export interface CompanyState {
  readonly charges: Map<ChargeId, ChargeRow>
  /** By endToEndId. */
  readonly payments: Map<string, PaymentRow>
  /** By the endToEndId of their payment, which may not be recorded yet; oldest first. */
  readonly returns: Map<string, ReadonlyArray<Return>>
}

/** What all companies have, and what is to be checked across them. */
export interface MemoryState {
  readonly companies: ReadonlyMap<Cnpj, CompanyState>
  /** The company's part; empty at first. */
  readonly company: (issuer: Cnpj) => CompanyState
  /** Charges that have a `checkAt`, the earliest first. */
  readonly chargeChecks: Schedule<ChargeRow>
  /** Exceptions under refund, the earliest check first. */
  readonly exceptionChecks: Schedule<PaymentRow>
  /** The latest moments that were ever set: only if one lies far ahead has a clock run ahead, and rows need be looked for. */
  readonly latest: { checkAt: number; endedAt: number }
}

/** When a charge is to be checked; infinite when it is not. */
export const chargeCheckAt = ({ charge }: ChargeRow): number => charge.checkAt ?? Infinity

/** When the refund of an exception is to be checked; infinite when none is under way. */
export const exceptionCheckAt = ({ state }: PaymentRow): number =>
  state._tag === "Refunding" ? state.checkAt : Infinity

export const makeMemoryState = (): MemoryState => {
  const companies = new Map<Cnpj, CompanyState>()
  return {
    companies,
    company: (issuer) => {
      const known = companies.get(issuer)
      if (known !== undefined) return known
      const empty: CompanyState = { charges: new Map(), payments: new Map(), returns: new Map() }
      companies.set(issuer, empty)
      return empty
    },
    chargeChecks: makeSchedule((a, b) => chargeCheckAt(a) < chargeCheckAt(b)),
    exceptionChecks: makeSchedule((a, b) => exceptionCheckAt(a) < exceptionCheckAt(b)),
    latest: { checkAt: -Infinity, endedAt: -Infinity },
  }
}

/** Brings a charge into the place of its `checkAt`, which must be the last thing that has changed in the state. */
export const placeCharge = ({ chargeChecks, latest }: MemoryState, row: ChargeRow): void => {
  const { charge, checksEndedAt = -Infinity } = row
  latest.endedAt = Math.max(latest.endedAt, checksEndedAt)
  if (charge.checkAt === undefined) return chargeChecks.delete(row)
  latest.checkAt = Math.max(latest.checkAt, charge.checkAt)
  chargeChecks.set(row)
}

/** The same for an exception and the `checkAt` of its refund. */
export const placeException = ({ exceptionChecks, latest }: MemoryState, row: PaymentRow): void => {
  if (row.state._tag !== "Refunding") return exceptionChecks.delete(row)
  latest.checkAt = Math.max(latest.checkAt, row.state.checkAt)
  exceptionChecks.set(row)
}

/** The payment that settled a charge. */
export const settlingPayment = (charge: Charge): Payment | undefined =>
  charge._tag === "Pending" || charge._tag === "Cancelled" ? undefined : charge.payment

/** The returns of a payment, oldest first. */
export const paymentReturns = (company: CompanyState, { endToEndId }: Payment): ReadonlyArray<Return> =>
  company.returns.get(endToEndId) ?? []

const exceptionReason = (company: CompanyState, { payment }: PaymentRow): ExceptionReason | undefined => {
  const charge = payment.chargeId && company.charges.get(payment.chargeId)?.charge
  if (charge === undefined) return "unmatched"
  if (charge._tag === "Cancelled") return "cancelledCharge"
  return settlingPayment(charge)?.endToEndId === payment.endToEndId ? undefined : "furtherPayment"
}

/** The exception that a payment is; undefined if it settled its charge. */
export const exceptionFromRow = (company: CompanyState, row: PaymentRow): PaymentException | undefined => {
  const reason = exceptionReason(company, row)
  const { payment, state, version } = row
  return reason && { payment, reason, state, version, returns: paymentReturns(company, payment) }
}

const byMoment = (a: Return, b: Return): number => a.returnedAt - b.returnedAt || (a.id < b.id ? -1 : 1)

/** Records returns, each once by its payment and id; answers with the payments of those that were new. */
export const recordReturns = (company: CompanyState, returns: ReadonlyArray<Return>): ReadonlySet<string> => {
  const fresh = new Set<string>()
  for (const fact of returns) {
    const known = company.returns.get(fact.endToEndId) ?? []
    if (known.some(({ id }) => id === fact.id)) continue
    fresh.add(fact.endToEndId)
    const all = [...known, fact].toSorted(byMoment)
    company.returns.set(fact.endToEndId, all)
    const row = company.payments.get(fact.endToEndId)
    const settled = row && settledCharge(company, row)
    if (settled !== undefined) settled.charge = { ...settled.charge, returns: all }
  }
  return fresh
}

const settledCharge = (company: CompanyState, { payment }: PaymentRow): ChargeRow | undefined => {
  const row = payment.chargeId && company.charges.get(payment.chargeId)
  return row && settlingPayment(row.charge)?.endToEndId === payment.endToEndId ? row : undefined
}

/** Moves the version of the charge or exception that the payment belongs to: what was decided before is stale. */
export const moveVersion = (company: CompanyState, endToEndId: string): void => {
  const row = company.payments.get(endToEndId)
  if (row === undefined) return
  const settled = settledCharge(company, row)
  if (settled === undefined) row.version += 1
  else settled.charge = { ...settled.charge, version: settled.charge.version + 1 }
}
