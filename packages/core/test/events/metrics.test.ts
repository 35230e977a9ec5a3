import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { expect, test } from "vitest"
import { attemptLatency, attemptsBy, oldestAge, queueDepth } from "../../src/services/events/attempt.ts"

const attempts = ["pix_event_attempts", "Attempts to send an event to an endpoint, by outcome"] as const

test.each([
  [attemptsBy.delivered, ...attempts],
  [attemptsBy.retry, ...attempts],
  [attemptsBy.gone, ...attempts],
  [attemptsBy.dead, ...attempts],
  [attemptLatency, "pix_event_attempt_latency_ms", "Milliseconds from the start of an attempt to its outcome"],
  [queueDepth, "pix_events_waiting", "Deliveries that wait in the outbox"],
  [oldestAge, "pix_events_oldest_age_ms", "Milliseconds since the delivery that waits longest was queued"],
])("measures %s as %s: %s", (metric, id, description) => {
  expect(metric).toMatchObject({ id, description })
})

/** A new registry, because the process's registry keeps the metrics that were made first. */
const it = itWith(Layer.sync(Metric.MetricRegistry, () => new Map()))

it.effect("counts attempts with counters that only rise", () =>
  Effect.gen(function* () {
    const states = yield* Effect.forEach(Object.values(attemptsBy), Metric.value)
    expect(states.map(({ incremental }) => incremental)).toEqual([true, true, true, true])
  }),
)

it.effect("sorts latencies into buckets from 1 ms to the 15 s limit of an attempt", () =>
  Effect.gen(function* () {
    const { buckets } = yield* Metric.value(attemptLatency)
    const bounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000]
    expect(buckets.map(([bound]) => bound).filter(Number.isFinite)).toEqual(bounds)
  }),
)
