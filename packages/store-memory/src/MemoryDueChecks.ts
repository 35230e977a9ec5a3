import { clockToleranceMs, DueChecks, farthestAheadMs, type Reconciliations, wakesForMs } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { earliest } from "./earliest.ts"
import {
  type ChargeRow,
  type CompanyState,
  exceptionFromRow,
  type MemoryState,
  type PaymentRow,
} from "./MemoryState.ts"

/** Sets when a charge is looked up. */
const setChargeCheck = (row: ChargeRow, checkAt: number | undefined): void => {
  const { checkAt: _, ...charge } = row.charge
  row.charge = checkAt === undefined ? charge : { ...charge, checkAt }
  row.checksEndedAt = undefined
  if (row.charge._tag !== "Pending") return
  const { lookUpAt: __, ...pending } = row.charge
  row.charge = pending
}

const setExceptionCheck = (row: PaymentRow, checkAt: number): void => {
  if (row.state._tag === "Refunding") row.state = { ...row.state, checkAt }
}

/**
 * The place of a check among those that are due: its own moment; undefined if it is not due yet. What a clock that ran
 * ahead has left counts as due, after all the rest and the farthest first: a check too far ahead, or one that was the
 * last and was made later than now.
 */
const dueAt = (now: number, checkAt = -Infinity, endedAt = -Infinity, watchUntil = now): number | undefined => {
  if (checkAt > -Infinity && checkAt <= now) return checkAt
  const isAhead = checkAt > Math.max(now, watchUntil) + farthestAheadMs || endedAt > now + clockToleranceMs
  return isAhead ? Number.MAX_SAFE_INTEGER - Math.max(checkAt, endedAt) : undefined
}

/** Which charges and refunds are to be checked, in this process. A claim reads every charge or payment. */
export const makeDueChecks = (
  { companies, company }: MemoryState,
  reconciliations: Reconciliations["Service"],
): DueChecks["Service"] => {
  const due = <A>(
    rows: (company: CompanyState) => ReadonlyMap<unknown, A>,
    moment: (row: A) => number | undefined,
    limit: number,
  ): ReadonlyArray<A> => {
    const all = Array.from(companies.values(), (one) => rows(one).values())
    return earliest(all, moment, limit)
  }

  return DueChecks.of({
    claimCharges: ({ now, limit, leaseMs }) =>
      Effect.gen(function* () {
        const moment = ({ charge, checksEndedAt }: ChargeRow) => {
          const watchUntil = charge._tag === "Pending" ? charge.watchUntil : undefined
          return dueAt(now, charge.checkAt, checksEndedAt, watchUntil)
        }
        const taken: Array<ChargeRow> = []
        const woken = new Set<Cnpj>()
        for (const row of due(({ charges }) => charges, moment, limit)) {
          const { charge } = row
          const lookUpAt = charge._tag === "Pending" ? charge.lookUpAt : undefined
          const wakes = lookUpAt !== undefined || charge.createdAt > now - wakesForMs
          if (charge._tag === "Pending" && wakes) woken.add(charge.issuer)
          const isTaken = lookUpAt === undefined || lookUpAt <= now
          setChargeCheck(row, isTaken ? now + leaseMs : lookUpAt)
          if (isTaken) taken.push(row)
        }
        yield* Effect.forEach(woken, (issuer) => reconciliations.wake(issuer, now), { discard: true })
        return taken.map(({ charge }) => charge)
      }),
    scheduleCharge: ({ issuer, id, version, checkAt: read }, checkAt, made) =>
      Effect.sync(() => {
        const row = company(issuer).charges.get(id)
        if (row?.charge.version !== version) return
        if (made !== undefined && row.charge.checkAt !== read) return
        setChargeCheck(row, checkAt)
        row.checksEndedAt = made?.endedAt
      }),
    claimExceptions: ({ now, limit, leaseMs }) =>
      Effect.sync(() => {
        const moment = ({ state }: PaymentRow) => (state._tag === "Refunding" ? dueAt(now, state.checkAt) : undefined)
        const claimed = due(({ payments }) => payments, moment, limit)
        for (const row of claimed) setExceptionCheck(row, now + leaseMs)
        return claimed.flatMap((row) => exceptionFromRow(company(row.payment.issuer), row) ?? [])
      }),
    scheduleException: ({ payment, version }, checkAt) =>
      Effect.sync(() => {
        const row = company(payment.issuer).payments.get(payment.endToEndId)
        if (row?.version === version) setExceptionCheck(row, checkAt)
      }),
  })
}
