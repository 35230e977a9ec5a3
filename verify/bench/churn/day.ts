import { ChargeStore } from "@pixcharge/core"
import type { PaidCharge, PendingCharge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { aCharge } from "../openStore.ts"
import { check, deliver, pay, refund } from "./operations.ts"

const minute = 60_000
const hour = 60 * minute
const step = 5 * minute
const steps = 288
const companies = Array.from({ length: 20 }, (_, at) => String(20_000_000_000_000 + at) as Cnpj)

const chargeAt = (createdAt: number, number: number): PendingCharge => ({
  ...aCharge(),
  issuer: companies[number % companies.length] as Cnpj,
  createdAt,
  updatedAt: createdAt,
  payableUntil: createdAt + 10 * minute,
  watchUntil: createdAt + 24 * hour + 10 * minute,
  checkAt: createdAt + 45_000,
})

/**
 * One day of business in as little time as it takes, five minutes after the other: `count` charges are issued evenly
 * over it, three of five are paid in the next step, the others are checked as the core schedules it, and one of fifty
 * paid ones is refunded an hour later.
 */
export const runDay = Effect.fnUntraced(function* (charges: number, begin: number) {
  const { insert } = yield* ChargeStore
  const refunds: Array<ReadonlyArray<PaidCharge>> = []
  let toPay: ReadonlyArray<PendingCharge> = []
  let issued = 0
  let paidCount = 0
  for (let at = 0; at < steps; at++) {
    const now = begin + at * step
    const count = Math.floor(((at + 1) * charges) / steps) - issued
    const fresh = Array.from({ length: count }, (_, n) => chargeAt(now + Math.floor((n * step) / count), issued + n))
    const paying = toPay
    const first = issued
    toPay = fresh.filter((_, n) => (first + n) % 5 < 3)
    issued += count
    yield* Effect.forEach(fresh, insert, { concurrency: 64, discard: true })
    const paid = yield* pay(paying, now)
    refunds.push(paid.filter(() => ++paidCount % 50 === 0))
    yield* check(now)
    yield* deliver(now)
    yield* refund(refunds[at - 12] ?? [])
  }
})
