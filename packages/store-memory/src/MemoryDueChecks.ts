import { clockToleranceMs, type DueChecks, type DueKind, maxAheadMs } from "@pixcharge/core"
import { wakesForMs } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Deliveries } from "./Deliveries.ts"
import { findEarliest } from "./findEarliest.ts"
import { listWaiting, measure, nextAt } from "./MemoryOutbox.ts"
import type { MemoryReconciliations } from "./MemoryReconciliations.ts"
import { recurrenceDueAt } from "./MemoryRecurrenceStore.ts"
import { type ChargeRow, toException, type MemoryState, type PaymentRow } from "./MemoryState.ts"

type Port = DueChecks["Service"]

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
 * The time that orders due checks, or undefined if the check isn't due. Checks that a fast clock set come last, the farthest
 * first: such a check is too far ahead, or the last check ended later than now.
 */
const dueAt = (now: number, checkAt = -Infinity, endedAt = -Infinity, watchUntil = now): number | undefined => {
  if (checkAt > -Infinity && checkAt <= now) return checkAt
  const isAhead = checkAt > Math.max(now, watchUntil) + maxAheadMs || endedAt > now + clockToleranceMs
  return isAhead ? Number.MAX_SAFE_INTEGER - Math.max(checkAt, endedAt) : undefined
}

const chargeDueAt = ({ charge, checksEndedAt }: ChargeRow, now: number): number | undefined => {
  const watchUntil = charge._tag === "Pending" ? charge.watchUntil : undefined
  return dueAt(now, charge.checkAt, checksEndedAt, watchUntil)
}

const exceptionDueAt = ({ state }: PaymentRow, now: number): number | undefined =>
  state._tag === "Refunding" ? dueAt(now, state.checkAt) : undefined

export class MemoryDueChecks implements Port {
  readonly #state: MemoryState
  readonly #reconciliations: MemoryReconciliations
  readonly #deliveries: Deliveries

  constructor(state: MemoryState, reconciliations: MemoryReconciliations, deliveries: Deliveries) {
    this.#state = state
    this.#reconciliations = reconciliations
    this.#deliveries = deliveries
  }

  readonly look: Port["look"] = (now) =>
    Effect.sync(() => {
      const companies = [...this.#state.companies.values()]
      const waiting = listWaiting([...this.#deliveries.queues()])
      const some = <Row>(rows: ReadonlyArray<Iterable<Row>>, at: (row: Row, now: number) => number | undefined) =>
        findEarliest(rows, (row) => at(row, now), 1).length > 0
      const charges = some(
        companies.map((one) => one.charges.values()),
        chargeDueAt,
      )
      const isDue: Readonly<Record<DueKind, boolean>> = {
        charges,
        exceptions: some(
          companies.map((one) => one.payments.values()),
          exceptionDueAt,
        ),
        recurrences: some(
          companies.map((one) => one.recurrences.values()),
          recurrenceDueAt,
        ),
        companies: charges || this.#reconciliations.isDue(now),
        deliveries: waiting.some((delivery) => nextAt(delivery) <= now),
      }
      const kinds = Object.keys(isDue) as ReadonlyArray<DueKind>
      return { kinds: new Set(kinds.filter((kind) => isDue[kind])), depth: measure(waiting) }
    })

  readonly claimCharges: Port["claimCharges"] = ({ now, limit, leaseMs }) =>
    Effect.suspend(() => {
      const taken: Array<ChargeRow> = []
      const woken = new Set<Cnpj>()
      const rows = Array.from(this.#state.companies.values(), ({ charges }) => charges.values())
      for (const row of findEarliest(rows, (one) => chargeDueAt(one, now), limit)) {
        const { charge } = row
        const lookUpAt = charge._tag === "Pending" ? charge.lookUpAt : undefined
        const wakes = lookUpAt !== undefined || charge.createdAt > now - wakesForMs
        if (charge._tag === "Pending" && wakes) woken.add(charge.issuer)
        const isTaken = lookUpAt === undefined || lookUpAt <= now
        setChargeCheck(row, isTaken ? now + leaseMs : lookUpAt)
        if (isTaken) taken.push(row)
      }
      const wakeAll = Effect.forEach(woken, (issuer) => this.#reconciliations.wake(issuer, now), { discard: true })
      return Effect.as(
        wakeAll,
        taken.map(({ charge }) => charge),
      )
    })

  readonly scheduleCharge: Port["scheduleCharge"] = ({ issuer, id, version, checkAt: read }, checkAt, made) =>
    Effect.sync(() => {
      const row = this.#state.company(issuer).charges.get(id)
      if (row?.charge.version !== version) return
      if (made !== undefined && row.charge.checkAt !== read) return
      setChargeCheck(row, checkAt)
      row.checksEndedAt = made?.endedAt
    })

  readonly claimExceptions: Port["claimExceptions"] = ({ now, limit, leaseMs }) =>
    Effect.sync(() => {
      const rows = Array.from(this.#state.companies.values(), ({ payments }) => payments.values())
      const claimed = findEarliest(rows, (row) => exceptionDueAt(row, now), limit)
      for (const row of claimed) setExceptionCheck(row, now + leaseMs)
      return claimed.flatMap((row) => toException(this.#state.company(row.payment.issuer), row) ?? [])
    })

  readonly scheduleException: Port["scheduleException"] = ({ payment, version }, checkAt) =>
    Effect.sync(() => {
      const row = this.#state.company(payment.issuer).payments.get(payment.endToEndId)
      if (row?.version === version) setExceptionCheck(row, checkAt)
    })
}
