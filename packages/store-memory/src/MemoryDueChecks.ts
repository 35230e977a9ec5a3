import { type ClaimRequest, clockToleranceMs, DueChecks, farthestAheadMs } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import { earliest } from "./earliest.ts"
import {
  type ChargeRow,
  type CompanyState,
  exceptionFromRow,
  type MemoryState,
  type PaymentRow,
} from "./MemoryState.ts"

const setChargeCheck = (row: ChargeRow, checkAt: number | undefined): void => {
  const { checkAt: _, ...charge } = row.charge
  row.charge = checkAt === undefined ? charge : { ...charge, checkAt }
  row.checksEndedAt = undefined
}

const setCheckedUntil = (row: ChargeRow, checkedUntil: number | undefined): void => {
  if (row.charge._tag !== "Pending") return
  const { checkedUntil: _, ...charge } = row.charge
  row.charge = checkedUntil === undefined ? charge : { ...charge, checkedUntil }
}

const setExceptionCheck = (row: PaymentRow, checkAt: number): void => {
  if (row.state._tag === "Refunding") row.state = { ...row.state, checkAt }
}

/**
 * The place of a check among those that are due: its own moment; undefined if it is not due yet. What a clock that ran
 * ahead has left counts as due, after all the rest and the farthest first: a check too far ahead, or one that was the
 * last and was made later than now.
 */
const dueAt = (now: number, checkAt = -Infinity, endedAt = -Infinity): number | undefined => {
  if (checkAt > -Infinity && checkAt <= now) return checkAt
  const isAhead = checkAt > now + farthestAheadMs || endedAt > now + clockToleranceMs
  return isAhead ? Number.MAX_SAFE_INTEGER - Math.max(checkAt, endedAt) : undefined
}

/** Which charges and refunds are to be checked, in this process. A claim reads every charge or payment. */
export const makeDueChecks = ({ companies, company }: MemoryState): DueChecks["Service"] => {
  const claim = <A>(
    rows: (company: CompanyState) => ReadonlyMap<unknown, A>,
    { now, limit, leaseMs }: ClaimRequest,
    check: { readonly dueAt: (row: A) => number | undefined; readonly put: (row: A, checkAt: number) => void },
  ): ReadonlyArray<A> => {
    const all = Array.from(companies.values(), (one) => rows(one).values())
    const claimed = earliest(all, check.dueAt, limit)
    for (const row of claimed) check.put(row, now + leaseMs)
    return claimed
  }

  return DueChecks.of({
    claimCharges: (request) =>
      Effect.sync((): ReadonlyArray<Charge> => {
        const claimed = claim(({ charges }) => charges, request, {
          dueAt: ({ charge, checksEndedAt }) => dueAt(request.now, charge.checkAt, checksEndedAt),
          put: setChargeCheck,
        })
        return claimed.map(({ charge }) => charge)
      }),
    scheduleCharge: ({ issuer, id, version, checkAt: read }, checkAt, made) =>
      Effect.sync(() => {
        const row = company(issuer).charges.get(id)
        if (row?.charge.version !== version) return
        if (made !== undefined && row.charge.checkAt !== read) return
        setChargeCheck(row, checkAt)
        setCheckedUntil(row, made?.checkedUntil)
        row.checksEndedAt = made?.endedAt
      }),
    claimExceptions: (request) =>
      Effect.sync(() => {
        const claimed = claim(({ payments }) => payments, request, {
          dueAt: ({ state }) => (state._tag === "Refunding" ? dueAt(request.now, state.checkAt) : undefined),
          put: setExceptionCheck,
        })
        return claimed.flatMap((row) => exceptionFromRow(company(row.payment.issuer), row) ?? [])
      }),
    scheduleException: ({ payment, version }, checkAt) =>
      Effect.sync(() => {
        const row = company(payment.issuer).payments.get(payment.endToEndId)
        if (row?.version === version) setExceptionCheck(row, checkAt)
      }),
  })
}
