import {
  ChargeArchive,
  type ClaimRequest,
  type ExceptionChange,
  type Page,
  type StoreUnavailable,
} from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import {
  type Books,
  type ChargeRow,
  type CompanyBooks,
  endChecks,
  exceptionOf,
  type PaymentRow,
  recordReturns,
  refreshDesk,
  touch,
} from "./Books.ts"
import { mapPage } from "./SortedRows.ts"
import { storing } from "./storing.ts"

const pageEffect = <A, B>(
  read: () => Result.Result<Page<A>, StoreUnavailable>,
  f: (item: A) => B,
): Effect.Effect<Page<B>, StoreUnavailable> =>
  Effect.suspend(() => Effect.fromResult(Result.map(read(), (page) => mapPage(page, f))))

/** Hosts' clocks differ by less than this. */
const setBackMs = 60_000

const withCheckAt = ({ checkAt: _, ...charge }: Charge, checkAt: number | undefined): Charge =>
  checkAt === undefined ? charge : { ...charge, checkAt }

const isSettledBefore = ({ charge }: ChargeRow, moment: number): boolean => {
  if (charge.checkAt !== undefined || charge._tag === "Refunding") return false
  return (charge._tag === "Pending" ? charge.watchUntil : charge.updatedAt) < moment
}

/** The rows of a payer, newest charge first. */
const rowsOfPayer = (company: CompanyBooks, taxId: TaxId): ReadonlyArray<ChargeRow> =>
  [...company.charges.values()]
    .filter(({ charge }) => charge.payer?.taxId === taxId)
    .toSorted((a, b) => b.charge.createdAt - a.charge.createdAt)

/** Lists, the desk, payers' rights and the reconciler's scans, in this process. */
export const makeChargeArchive = (books: Books): ChargeArchive["Service"] => {
  const setCheck = (row: ChargeRow, checkAt: number | undefined): void => {
    row.charge = withCheckAt(row.charge, checkAt)
    if (checkAt === undefined) books.checks.delete(row)
    else books.checks.set(row)
  }

  const setState = (company: CompanyBooks, row: PaymentRow, { next }: ExceptionChange): void => {
    row.state = next
    row.version += 1
    if (next._tag === "Refunding") books.refundChecks.set(row)
    else books.refundChecks.delete(row)
    refreshDesk(company, row)
  }

  const commitException = (change: ExceptionChange): boolean => {
    const company = books.of(change.issuer)
    const row = company.payments.get(change.endToEndId)
    const fits = row !== undefined && row.version === change.expectedVersion && exceptionOf(company, row) !== undefined
    const returned = recordReturns(company, change.returns)
    if (fits) setState(company, row, change)
    else for (const endToEndId of returned) touch(company, endToEndId)
    return fits
  }

  const erasePayer = (issuer: Cnpj, taxId: TaxId, now: number): number => {
    const rows = rowsOfPayer(books.of(issuer), taxId)
    for (const row of rows) {
      const { payer: _, ...charge } = row.charge
      row.charge = { ...charge, payerErasedAt: now }
    }
    return rows.length
  }

  const archive = (settledBefore: number, limit: number): number => {
    let count = 0
    for (const company of books.all()) {
      for (const row of company.charges.values()) {
        if (count === limit) return count
        if (row.archived || !isSettledBefore(row, settledBefore)) continue
        row.archived = true
        count += 1
      }
    }
    return count
  }

  const claimChecks = ({ now, limit, leaseMs }: ClaimRequest): ReadonlyArray<Charge> => {
    const lease = (row: ChargeRow) => setCheck(row, now + leaseMs)
    const taken = [...books.checks.claim(now, limit, lease)]
    for (let row = books.endedChecks.peek(); row && taken.length < limit; row = books.endedChecks.peek()) {
      if ((row.checksEndedAt ?? 0) <= now + setBackMs) break
      endChecks(books, row, undefined)
      lease(row)
      taken.push(row)
    }
    taken.push(...books.checks.claimAhead(now, limit - taken.length, lease))
    return taken.map(({ charge }) => charge)
  }

  const setRefundCheck = (row: PaymentRow, checkAt: number): void => {
    if (row.state._tag !== "Refunding") return
    row.state = { ...row.state, checkAt }
    books.refundChecks.set(row)
  }

  const claimRefunds = ({ now, limit, leaseMs }: ClaimRequest): ReadonlyArray<PaymentRow> => {
    const lease = (row: PaymentRow) => setRefundCheck(row, now + leaseMs)
    const taken = books.refundChecks.claim(now, limit, lease)
    return [...taken, ...books.refundChecks.claimAhead(now, limit - taken.length, lease)]
  }

  const exceptionIn = (row: PaymentRow) => {
    const exception = exceptionOf(books.of(row.payment.issuer), row)
    return exception === undefined ? [] : [exception]
  }

  return ChargeArchive.of({
    charges: (issuer, period, request) =>
      pageEffect(
        () => books.of(issuer).chargesByMoment.page({ period, request, newestFirst: true }),
        ({ charge }) => charge,
      ),
    payments: (issuer, period, request) =>
      pageEffect(
        () => books.of(issuer).paymentsByMoment.page({ period, request, newestFirst: false }),
        ({ payment }) => payment,
      ),
    payment: (issuer, endToEndId) => Effect.sync(() => books.of(issuer).payments.get(endToEndId)?.payment),
    returns: (issuer, period, request) =>
      pageEffect(
        () => books.of(issuer).returnsByMoment.page({ period, request, newestFirst: false }),
        (row) => row,
      ),
    openExceptions: (issuer, request) =>
      Effect.map(
        pageEffect(() => books.of(issuer).openExceptions.page({ request, newestFirst: false }), exceptionIn),
        ({ items, ...rest }) => ({ ...rest, items: items.flat() }),
      ),
    exception: (issuer, endToEndId) =>
      Effect.sync(() => {
        const company = books.of(issuer)
        const row = company.payments.get(endToEndId)
        return row && exceptionOf(company, row)
      }),
    commitException: (change) => storing("commitException", change, () => commitException(change)),
    exportPayer: (issuer, taxId) =>
      Effect.sync(() => ({ charges: rowsOfPayer(books.of(issuer), taxId).map(({ charge }) => charge) })),
    erasePayer: (issuer, taxId, now) => Effect.sync(() => erasePayer(issuer, taxId, now)),
    archive: (settledBefore, limit) => Effect.sync(() => archive(settledBefore, limit)),
    claimChecks: (request) => Effect.sync(() => claimChecks(request)),
    scheduleCheck: ({ issuer, id, version }, checkAt, endedAt) =>
      Effect.sync(() => {
        const row = books.of(issuer).charges.get(id)
        if (row?.charge.version !== version) return
        setCheck(row, checkAt)
        endChecks(books, row, endedAt)
      }),
    claimExceptionRefunds: (request) => Effect.sync(() => claimRefunds(request).flatMap(exceptionIn)),
    scheduleExceptionRefund: ({ payment, version }, checkAt) =>
      Effect.sync(() => {
        const row = books.of(payment.issuer).payments.get(payment.endToEndId)
        if (row?.version === version) setRefundCheck(row, checkAt)
      }),
  })
}
