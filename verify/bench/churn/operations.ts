import { ChargeStore, type DeliveryFate, DueChecks, Outbox, type Settlement } from "@pixcharge/core"
import type { PaidCharge, PendingCharge, PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { payment, payNow, refundChanges } from "../changes.ts"

const minute = 60_000
const hour = 60 * minute
const leaseMs = 90_000
const atOnce = { concurrency: 64, discard: true } as const

/** The core's schedule: 45 s after a check, later half of the charge's age, at most an hour, until its watch ends. */
const nextCheckAt = ({ createdAt, watchUntil }: PendingCharge, now: number): number | undefined =>
  now >= watchUntil
    ? undefined
    : Math.round(Math.min(now + Math.min(Math.max((now - createdAt) / 2, 45_000), hour), watchUntil + 1_000))

/** Pays charges, and returns them as paid. */
export const pay = Effect.fnUntraced(function* (charges: ReadonlyArray<PendingCharge>, now: number) {
  const store = yield* ChargeStore
  return yield* Effect.forEach(
    charges,
    Effect.fnUntraced(function* ({ issuer, id }) {
      const charge = (yield* store.find(issuer, id)) as PendingCharge
      const paid = payNow(charge, now)
      yield* store.commit(payment(charge, paid))
      return paid
    }),
    { concurrency: 64 },
  )
})

export const refund = Effect.fnUntraced(function* (charges: ReadonlyArray<PaidCharge>) {
  const store = yield* ChargeStore
  const refundOne = (paid: PaidCharge) => Effect.forEach(refundChanges(paid), store.commit)
  yield* Effect.forEach(charges, refundOne, atOnce)
})

/** Makes the due checks, none of which finds anything. */
export const check = Effect.fnUntraced(function* (now: number) {
  const { claimCharges, scheduleCharge } = yield* DueChecks
  for (;;) {
    const due = yield* claimCharges({ now, limit: 64, leaseMs })
    if (due.length === 0) return
    const scheduleNext = (charge: (typeof due)[number]) => {
      const checkAt = charge._tag === "Pending" ? nextCheckAt(charge, now) : undefined
      return scheduleCharge(charge, checkAt, checkAt === undefined ? { endedAt: now } : {})
    }
    yield* Effect.forEach(due, scheduleNext, atOnce)
  }
})

/** A fifth of the deliveries fail at first and are retried a minute later. */
const fateAt = (now: number, { id }: PixEvent, attempt: number): DeliveryFate =>
  attempt === 1 && id.charCodeAt(4) % 5 === 0 ? { _tag: "Retry", at: now + minute } : { _tag: "Delivered" }

export const deliver = Effect.fnUntraced(function* (now: number) {
  const { claim, release, settle } = yield* Outbox
  for (;;) {
    const { queues } = yield* claim({ now, limit: 50, deliveries: 16, leaseMs })
    if (queues.length === 0) return
    const settlements = queues.flatMap(({ lease, due }) =>
      due.map(({ event, attempt }): Settlement => ({
        lease,
        eventId: event.id,
        number: attempt,
        fate: fateAt(now, event, attempt),
        attempt: { startedAt: now, latencyMs: 20, status: 200 },
      })),
    )
    yield* settle(settlements, now)
    yield* release(queues.map(({ lease }) => lease))
  }
})
