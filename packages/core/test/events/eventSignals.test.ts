import { EventOperations, Outbox, OutboxSignal } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { eventDirectory, issuers } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"

const [issuer] = issuers
if (issuer === undefined) throw new Error("expected a company")
const endpointId = `callback-${issuer}`

let signals = 0
const signal = Layer.succeed(OutboxSignal, {
  notifyAll: Effect.sync(() => {
    signals++
  }),
  notify: () => Effect.die("expected no named delivery"),
  next: Effect.never,
  count: Effect.sync(() => signals),
})

const layer = EventOperations.layer.pipe(Layer.provideMerge(Layer.mergeAll(memoryStore(), eventDirectory(), signal)))

const signalsOf = Effect.fnUntraced(function* <E, R>(act: Effect.Effect<unknown, E, R>) {
  signals = 0
  yield* act
  return signals
})

const deliverAll = Effect.gen(function* () {
  const outbox = yield* Outbox
  const now = yield* Clock.currentTimeMillis
  const { queues } = yield* outbox.claim({ now, limit: 9, deliveries: 9, leaseMs: 1_000 })
  const settlements = queues.flatMap(({ lease, due }) =>
    due.map(({ event, attempt }) => ({
      lease,
      eventId: event.id,
      number: attempt,
      fate: { _tag: "Delivered" } as const,
      attempt: { startedAt: now, latencyMs: 1 },
    })),
  )
  yield* outbox.settle(settlements, now)
})

itWith(layer).effect("wakes the dispatcher only for a ping, a resumption and a replay with deliveries", () =>
  Effect.gen(function* () {
    const operations = yield* EventOperations
    const ping = operations.ping(issuer, endpointId)
    expect(yield* signalsOf(ping)).toBe(1)
    const { id } = yield* ping
    // The event still waits, so the replay selects no delivery.
    expect(yield* signalsOf(operations.replay(issuer, { eventId: id }))).toBe(0)
    yield* deliverAll
    expect(yield* signalsOf(operations.replay(issuer, { eventId: id }))).toBe(1)
    expect(yield* signalsOf(operations.pause(issuer, endpointId))).toBe(0)
    expect(yield* signalsOf(operations.resume(issuer, endpointId))).toBe(1)
  }),
)

itWith(layer).effect("names the unknown endpoint in the error", () =>
  Effect.gen(function* () {
    const operations = yield* EventOperations
    const refusals = [operations.ping(issuer, "x"), operations.pause(issuer, "x"), operations.resumeForAll("x")]
    for (const refused of refusals) {
      const error: unknown = yield* Effect.flip(refused as Effect.Effect<unknown, unknown>)
      expect(error).toMatchObject({ _tag: "EndpointNotFound", endpointId: "x" })
    }
  }),
)
