import type { ExceptionReason, ExceptionState, PaymentException } from "@pixcharge/core"
import { type Charge, type ChargeId, type Payment, type Return, returnedCents } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import { makeSchedule, type Schedule } from "./Schedule.ts"
import { makeSortedRows, type SortedRows } from "./SortedRows.ts"

/** A charge, as `find` answers with it. */
export interface ChargeRow {
  charge: Charge
  archived: boolean
  /** When its last check was made; undefined while one is to come. */
  checksEndedAt?: number | undefined
}

/** A payment and, if it settled nothing, what became of it at the desk. */
export interface PaymentRow {
  payment: Payment
  state: ExceptionState
  version: number
}

/** What one company has. */
export interface CompanyBooks {
  readonly charges: Map<ChargeId, ChargeRow>
  readonly chargesByMoment: SortedRows<ChargeRow>
  readonly payments: Map<string, PaymentRow>
  readonly paymentsByMoment: SortedRows<PaymentRow>
  /** By the endToEndId of their payment, which may not be recorded yet; oldest first. */
  readonly returns: Map<string, ReadonlyArray<Return>>
  readonly returnsByMoment: SortedRows<Return>
  readonly openExceptions: SortedRows<PaymentRow>
}

/** What all companies have, and what is to be done across them. */
export interface Books {
  readonly of: (issuer: Cnpj) => CompanyBooks
  readonly all: () => Iterable<CompanyBooks>
  readonly entries: () => Iterable<readonly [Cnpj, CompanyBooks]>
  readonly checks: Checks<ChargeRow>
  /** Charges whose last check was made, the latest first. */
  readonly endedChecks: Schedule<ChargeRow>
  /** Of exceptions. */
  readonly refundChecks: Checks<PaymentRow>
}

/** Things by the moment of their check. */
export interface Checks<A> {
  readonly set: (item: A) => void
  readonly delete: (item: A) => void
  /** Takes up to `limit` that are due; `take` gives each its next check. */
  readonly claim: (now: number, limit: number, take: (item: A) => void) => ReadonlyArray<A>
  /** The same for those that are further ahead than any check is put off: a clock that ran ahead has set them. */
  readonly claimAhead: Checks<A>["claim"]
}

/** Longer than any check is put off. */
const furthestCheckMs = 25 * 3_600_000

const makeChecks = <A>(checkAtOf: (item: A) => number): Checks<A> => {
  const earliest = makeSchedule<A>((a, b) => checkAtOf(a) < checkAtOf(b))
  const latest = makeSchedule<A>((a, b) => checkAtOf(a) > checkAtOf(b))

  const claimFrom =
    (schedule: Schedule<A>, isDue: (checkAt: number, now: number) => boolean): Checks<A>["claim"] =>
    (now, limit, take) => {
      const taken: Array<A> = []
      for (let item = schedule.peek(); item !== undefined && taken.length < limit; item = schedule.peek()) {
        if (!isDue(checkAtOf(item), now)) break
        take(item)
        taken.push(item)
      }
      return taken
    }

  return {
    set: (item) => {
      earliest.set(item)
      latest.set(item)
    },
    delete: (item) => {
      earliest.delete(item)
      latest.delete(item)
    },
    claim: claimFrom(earliest, (checkAt, now) => checkAt <= now),
    claimAhead: claimFrom(latest, (checkAt, now) => checkAt > now + furthestCheckMs),
  }
}

const byPayment = ({ payment }: PaymentRow) => ({ at: payment.paidAt, id: payment.endToEndId })

const openBooks = (): CompanyBooks => ({
  charges: new Map(),
  chargesByMoment: makeSortedRows(({ charge }) => ({ at: charge.createdAt, id: charge.id })),
  payments: new Map(),
  paymentsByMoment: makeSortedRows(byPayment),
  returns: new Map(),
  returnsByMoment: makeSortedRows((row) => ({ at: row.returnedAt, id: `${row.endToEndId} ${row.id}` })),
  openExceptions: makeSortedRows(byPayment),
})

const checkAtOf = ({ charge }: ChargeRow): number => charge.checkAt ?? Infinity

const refundCheckAtOf = ({ state }: PaymentRow): number => (state._tag === "Refunding" ? state.checkAt : Infinity)

export const makeBooks = (): Books => {
  const companies = new Map<Cnpj, CompanyBooks>()
  return {
    of: (issuer) => {
      const known = companies.get(issuer)
      if (known !== undefined) return known
      const opened = openBooks()
      companies.set(issuer, opened)
      return opened
    },
    all: () => companies.values(),
    entries: () => companies.entries(),
    checks: makeChecks(checkAtOf),
    endedChecks: makeSchedule((a, b) => (a.checksEndedAt ?? 0) > (b.checksEndedAt ?? 0)),
    refundChecks: makeChecks(refundCheckAtOf),
  }
}

/** Notes when the last check of a charge was made; undefined while one is to come. */
export const endChecks = (books: Books, row: ChargeRow, endedAt: number | undefined): void => {
  row.checksEndedAt = endedAt
  if (endedAt === undefined) books.endedChecks.delete(row)
  else books.endedChecks.set(row)
}

/** The payment by which a charge was settled. */
export const settlingPaymentOf = (charge: Charge): Payment | undefined =>
  charge._tag === "Pending" || charge._tag === "Cancelled" ? undefined : charge.payment

/** The returns of a payment, oldest first. */
export const returnsOf = (books: CompanyBooks, { endToEndId }: Payment): ReadonlyArray<Return> =>
  books.returns.get(endToEndId) ?? []

const reasonOf = (books: CompanyBooks, { payment }: PaymentRow): ExceptionReason | undefined => {
  const charge = payment.chargeId && books.charges.get(payment.chargeId)?.charge
  if (charge === undefined) return "unmatched"
  if (charge._tag === "Cancelled") return "cancelledCharge"
  return settlingPaymentOf(charge)?.endToEndId === payment.endToEndId ? undefined : "furtherPayment"
}

/** The exception that a payment is; undefined if it settled its charge. */
export const exceptionOf = (books: CompanyBooks, row: PaymentRow): PaymentException | undefined => {
  const reason = reasonOf(books, row)
  const { payment, state, version } = row
  return reason && { payment, reason, state, version, returns: returnsOf(books, payment) }
}

const isOpen = (books: CompanyBooks, row: PaymentRow): boolean =>
  reasonOf(books, row) !== undefined &&
  (row.state._tag === "Open" || row.state._tag === "Refunding") &&
  returnedCents(row.payment.endToEndId, returnsOf(books, row.payment)) < row.payment.amountCents

/** Puts a payment onto the desk or takes it off, after anything about it has changed. */
export const refreshDesk = (books: CompanyBooks, row: PaymentRow): void => {
  books.openExceptions.delete(row)
  if (isOpen(books, row)) books.openExceptions.add(row)
}

const byMoment = (a: Return, b: Return): number => a.returnedAt - b.returnedAt || (a.id < b.id ? -1 : 1)

/** Records returns, each once by its payment and id; answers with the payments of those that were new. */
export const recordReturns = (books: CompanyBooks, returns: ReadonlyArray<Return>): ReadonlySet<string> => {
  const fresh = new Set<string>()
  for (const fact of returns) {
    const known = books.returns.get(fact.endToEndId) ?? []
    if (known.some(({ id }) => id === fact.id)) continue
    fresh.add(fact.endToEndId)
    const all = [...known, fact].toSorted(byMoment)
    books.returns.set(fact.endToEndId, all)
    books.returnsByMoment.add(fact)
    const row = books.payments.get(fact.endToEndId)
    if (row === undefined) continue
    const charge = settledBy(books, row)
    if (charge !== undefined) charge.charge = { ...charge.charge, returns: all }
    refreshDesk(books, row)
  }
  return fresh
}

const settledBy = (books: CompanyBooks, { payment }: PaymentRow): ChargeRow | undefined => {
  const charge = payment.chargeId && books.charges.get(payment.chargeId)
  return charge && settlingPaymentOf(charge.charge)?.endToEndId === payment.endToEndId ? charge : undefined
}

/** Moves the version of whatever the payment belongs to: what was decided without its new return is stale. */
export const touch = (books: CompanyBooks, endToEndId: string): void => {
  const row = books.payments.get(endToEndId)
  if (row === undefined) return
  const settled = settledBy(books, row)
  if (settled === undefined) row.version += 1
  else settled.charge = { ...settled.charge, version: settled.charge.version + 1 }
}
