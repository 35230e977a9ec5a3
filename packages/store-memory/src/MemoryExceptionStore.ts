import { currentActor, type ExceptionChange, ExceptionStore } from "@pixcharge/core"
import { type Charge, exceptionStatus, type PaymentException, returnedCents } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { Deliveries } from "./Deliveries.ts"
import type { Audit } from "./MemoryAudit.ts"
import { type CompanyState, toException, type MemoryState, moveVersion, recordReturns } from "./MemoryState.ts"
import { readPage } from "./readPage.ts"
import { storing } from "./storing.ts"

const isOpen = ({ payment, state, returns }: PaymentException): boolean =>
  (state._tag === "Open" || state._tag === "Refunding") &&
  returnedCents(payment.endToEndId, returns) < payment.amountCents

const listExceptions = (company: CompanyState): ReadonlyArray<PaymentException> =>
  [...company.payments.values()].flatMap((row) => toException(company, row) ?? [])

const position = ({ payment }: PaymentException) => ({ at: payment.paidAt, id: payment.endToEndId })

const byTime = (a: PaymentException, b: PaymentException): number =>
  a.payment.paidAt - b.payment.paidAt || (a.payment.endToEndId < b.payment.endToEndId ? -1 : 1)

const concerns = ({ payment }: PaymentException, { id, txid }: Pick<Charge, "id" | "txid">): boolean =>
  payment.chargeId === undefined ? payment.txid === txid : payment.chargeId === id

export const makeExceptionStore = (
  { company }: MemoryState,
  outbox: Deliveries,
  audit: Audit,
): ExceptionStore["Service"] => {
  const commit = (change: ExceptionChange, by: string | undefined): boolean => {
    const companyState = company(change.issuer)
    const row = companyState.payments.get(change.endToEndId)
    const mayMove =
      row !== undefined && row.version === change.expectedVersion && toException(companyState, row) !== undefined
    const returned = recordReturns(companyState, change.returns)
    if (mayMove) Object.assign(row, { state: change.next, version: row.version + 1 })
    else for (const endToEndId of returned) moveVersion(companyState, endToEndId)
    if (mayMove) for (const delivery of change.deliveries ?? []) outbox.add(delivery, change.movedAt)
    if (mayMove && change.audit !== undefined) audit.append(change.issuer, by, [change.audit])
    return mayMove
  }

  return ExceptionStore.of({
    listOpen: (issuer, request) =>
      readPage("listOpenExceptions", () => listExceptions(company(issuer)).filter(isOpen), { position, request }),
    search: (issuer, search, request) => {
      const isWanted = (exception: PaymentException) =>
        search.status === undefined || exceptionStatus(exception) === search.status
      return readPage("searchExceptions", () => listExceptions(company(issuer)).filter(isWanted), {
        position,
        period: search,
        request,
        newestFirst: true,
      })
    },
    ofCharge: (charge, limit) =>
      Effect.sync(() =>
        listExceptions(company(charge.issuer))
          .filter((exception) => concerns(exception, charge))
          .toSorted(byTime)
          .slice(0, limit),
      ),
    find: (issuer, endToEndId) =>
      Effect.sync(() => {
        const row = company(issuer).payments.get(endToEndId)
        return row && toException(company(issuer), row)
      }),
    commit: (change) =>
      Effect.flatMap(currentActor, (by) => storing("commitException", change, () => commit(change, by))),
  })
}
