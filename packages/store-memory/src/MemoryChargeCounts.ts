import { ChargeCounts, type CountRequest, type SlotCount } from "@pixcharge/core"
import { type Charge, exceptionStatus, isExpired, isFailed } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Deliveries } from "./Deliveries.ts"
import { toException, type MemoryState, findSettlingPayment } from "./MemoryState.ts"

const countReached = (ascending: ReadonlyArray<number>, value: number): number => {
  const next = ascending.findIndex((one) => one > value)
  return next < 0 ? ascending.length : next
}

const makeCounter = ({ bounds }: CountRequest) => {
  const counts = new Map<string, SlotCount>()
  const add = (counted: SlotCount["counted"], slot: number, sum = 0): void => {
    const key = `${counted} ${slot}`
    const known = counts.get(key)
    counts.set(key, { counted, slot, count: (known?.count ?? 0) + 1, sum: (known?.sum ?? 0) + sum })
  }
  /** Returns undefined outside the period. */
  const findSlot = (moment: number): number | undefined => {
    const slot = countReached(bounds, moment) - 1
    return slot < 0 || slot >= bounds.length - 1 ? undefined : slot
  }
  const addAt = (counted: SlotCount["counted"], moment: number, sum?: number): void => {
    const slot = findSlot(moment)
    if (slot !== undefined) add(counted, slot, sum)
  }
  return { counts, add, addAt, findSlot }
}

type Counter = ReturnType<typeof makeCounter>

const findFate = (charge: Charge, now: number): "paid" | "expired" | "failed" | "cancelled" | undefined => {
  if (findSettlingPayment(charge) !== undefined) return "paid"
  if (charge._tag === "Cancelled") return "cancelled"
  if (isFailed(charge)) return "failed"
  return isExpired(charge, now) ? "expired" : undefined
}

const countCharge = ({ addAt, add, findSlot }: Counter, charge: Charge, { ages, now }: CountRequest): void => {
  if (findSlot(charge.createdAt) === undefined) return
  addAt("issued", charge.createdAt)
  const fate = findFate(charge, now)
  if (fate !== undefined) addAt(fate, charge.createdAt)
  const payment = findSettlingPayment(charge)
  if (payment !== undefined) add("age", countReached(ages, payment.paidAt - charge.createdAt))
}

export const makeChargeCounts = ({ company }: MemoryState, deliveries: Deliveries): ChargeCounts["Service"] => {
  const count = (issuer: Cnpj, request: CountRequest): ReadonlyArray<SlotCount> => {
    const counter = makeCounter(request)
    const { charges, payments, returns } = company(issuer)
    for (const { charge } of charges.values()) countCharge(counter, charge, request)
    for (const row of payments.values()) {
      counter.addAt("payment", row.payment.paidAt, row.payment.amountCents)
      const exception = toException(company(issuer), row)
      const status = exception && exceptionStatus(exception)
      if (status === "open" || status === "refunding") counter.addAt("openException", row.payment.paidAt)
    }
    for (const { returnedAt, amountCents } of [...returns.values()].flat()) {
      counter.addAt("return", returnedAt, amountCents)
    }
    for (const { record } of deliveries.all()) {
      const { event, status, attempts } = record
      const failed = status === "delivered" ? attempts - 1 : attempts
      if (event.issuer === issuer) counter.addAt(status, event.occurredAt, failed)
    }
    return [...counter.counts.values()]
  }
  return ChargeCounts.of({ count: (issuer, request) => Effect.sync(() => count(issuer, request)) })
}
