import { type ClaimRequest, clockToleranceMs, DueChecks, farthestAheadMs } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import {
  chargeCheckAt,
  type ChargeRow,
  type CompanyState,
  exceptionCheckAt,
  exceptionFromRow,
  type MemoryState,
  type PaymentRow,
  placeCharge,
  placeException,
} from "./MemoryState.ts"
import type { Schedule } from "./Schedule.ts"

const withCheckAt = ({ checkAt: _, ...charge }: Charge, checkAt: number | undefined): Charge =>
  checkAt === undefined ? charge : { ...charge, checkAt }

/** Takes from the schedule what is due, at most `limit`; `take` gives each its next check. */
const takeDue = <A>(
  schedule: Schedule<A>,
  checkAt: (row: A) => number,
  { now, limit }: ClaimRequest,
  take: (row: A) => void,
): Array<A> => {
  const taken: Array<A> = []
  for (let row = schedule.peek(); row && taken.length < limit && checkAt(row) <= now; row = schedule.peek()) {
    take(row)
    taken.push(row)
  }
  return taken
}

/** Which charges and refunds are to be checked, in this process. */
export const makeDueChecks = (state: MemoryState): DueChecks["Service"] => {
  const setChargeCheck = (row: ChargeRow, checkAt: number | undefined, endedAt?: number): void => {
    row.charge = withCheckAt(row.charge, checkAt)
    row.checksEndedAt = endedAt
    placeCharge(state, row)
  }

  const setExceptionCheck = (row: PaymentRow, checkAt: number): void => {
    if (row.state._tag !== "Refunding") return
    row.state = { ...row.state, checkAt }
    placeException(state, row)
  }

  /** All rows of which this moment lies too far ahead, the farthest first: a clock that ran ahead has set it. */
  const farAhead = <A>(
    rows: (company: CompanyState) => Iterable<A>,
    moment: (row: A) => number,
    { latestAt, limitAt }: { readonly latestAt: number; readonly limitAt: number },
  ): ReadonlyArray<A> => {
    if (latestAt <= limitAt) return []
    const found: Array<A> = []
    for (const company of state.companies.values()) {
      for (const row of rows(company)) if (moment(row) > limitAt && moment(row) < Infinity) found.push(row)
    }
    return found.toSorted((a, b) => moment(b) - moment(a))
  }

  const claimCharges = (request: ClaimRequest): ReadonlyArray<Charge> => {
    const { now, limit, leaseMs } = request
    const lease = (row: ChargeRow) => setChargeCheck(row, now + leaseMs)
    const taken = takeDue(state.chargeChecks, chargeCheckAt, request, lease)
    if (taken.length < limit) {
      const charges = ({ charges: rows }: CompanyState) => rows.values()
      const others = [
        ...farAhead(charges, ({ checksEndedAt }) => checksEndedAt ?? -Infinity, {
          latestAt: state.latest.endedAt,
          limitAt: now + clockToleranceMs,
        }),
        ...farAhead(charges, chargeCheckAt, { latestAt: state.latest.checkAt, limitAt: now + farthestAheadMs }),
      ].slice(0, limit - taken.length)
      others.forEach(lease)
      taken.push(...others)
    }
    return taken.map(({ charge }) => charge)
  }

  const claimExceptions = (request: ClaimRequest): ReadonlyArray<PaymentRow> => {
    const { now, limit, leaseMs } = request
    const lease = (row: PaymentRow) => setExceptionCheck(row, now + leaseMs)
    const taken = takeDue(state.exceptionChecks, exceptionCheckAt, request, lease)
    if (taken.length === limit) return taken
    const ahead = farAhead(({ payments }) => payments.values(), exceptionCheckAt, {
      latestAt: state.latest.checkAt,
      limitAt: now + farthestAheadMs,
    })
    const others = ahead.slice(0, limit - taken.length)
    others.forEach(lease)
    return [...taken, ...others]
  }

  return DueChecks.of({
    claimCharges: (request) => Effect.sync(() => claimCharges(request)),
    scheduleCharge: ({ issuer, id, version }, checkAt, endedAt) =>
      Effect.sync(() => {
        const row = state.company(issuer).charges.get(id)
        if (row?.charge.version === version) setChargeCheck(row, checkAt, endedAt)
      }),
    claimExceptions: (request) =>
      Effect.sync(() =>
        claimExceptions(request).flatMap((row) => {
          const exception = exceptionFromRow(state.company(row.payment.issuer), row)
          return exception === undefined ? [] : [exception]
        }),
      ),
    scheduleException: ({ payment, version }, checkAt) =>
      Effect.sync(() => {
        const row = state.company(payment.issuer).payments.get(payment.endToEndId)
        if (row?.version === version) setExceptionCheck(row, checkAt)
      }),
  })
}
