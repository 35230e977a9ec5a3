import { type DeliveryFate, Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aTestEvent } from "../../fixtures/Payments.ts"
import { claimQueues, listDeliveries } from "../outbox/queue.ts"
import { type Actor, momentFor, type Step, interleaveLooks } from "./CompanyWorld.ts"

/**
 * Leases the actor's queue, sends all due deliveries, and releases it. Returns the deliveries sorted by event, because
 * deliveries with the same time have no order.
 */
export const sent = Effect.fnUntraced(function* (actor: Actor, fate: DeliveryFate, now: number) {
  const outbox = yield* Outbox
  const { queues } = yield* claimQueues({ now })
  const isOwn = ({ lease }: (typeof queues)[number]) =>
    lease.issuer === actor.issuer && lease.endpointId === actor.endpointId
  yield* outbox.release(queues.filter((queue) => !isOwn(queue)).map(({ lease }) => lease))
  const own = queues.filter(isOwn)
  const attempt = { startedAt: now, latencyMs: 1 + actor.number, status: 200 + actor.number }
  yield* outbox.settle(
    own.flatMap(({ lease, due }) =>
      due.map(({ event, attempt: number }) => ({ lease, eventId: event.id, number, fate, attempt })),
    ),
    now,
  )
  yield* outbox.release(own.map(({ lease }) => lease))
  return own.map(({ due }) => due.toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1)))
})

const event = aTestEvent()

const add: Step = (actor) =>
  Effect.flatMap(Outbox, (outbox) => {
    const { issuer, endpointId } = actor
    return outbox.add({ event: { ...event, issuer }, endpointId }, momentFor(actor))
  })

const failDelivery: Step = (actor) =>
  sent(actor, { _tag: "Retry", at: momentFor(actor, 2_000) }, momentFor(actor, 1_000))

const deliver: Step = (actor) => sent(actor, { _tag: "Delivered" }, momentFor(actor, 2_000))

const purge: Step = (actor) =>
  Effect.gen(function* () {
    expect(yield* (yield* Outbox).purge(momentFor(actor, 10_000))).toBe(1)
  })

/** Reads all data of an actor's queue. */
const readQueue: Step = ({ issuer, endpointId }) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox
    return yield* Effect.all([
      outbox.attempts(issuer, event.id, endpointId),
      listDeliveries({ endpointId }, issuer),
      outbox.queueDepth(issuer, endpointId),
    ])
  })

/** The life of one event in its queue, with a read of all data between the turns. */
export const queueSteps: ReadonlyArray<Step> = interleaveLooks(
  [[add], [failDelivery, add], [deliver, add], [purge]],
  readQueue,
)
