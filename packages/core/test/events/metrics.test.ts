import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { expect, it } from "vitest"
import { attemptLatency, attemptsBy, oldestAge, queueDepth } from "../../src/events/dispatch/metrics.ts"

const attempts = ["pix_event_attempts", "Attempts to send an event to an endpoint, by outcome"] as const

it.each([
  [attemptsBy.delivered, ...attempts],
  [attemptsBy.retry, ...attempts],
  [attemptsBy.gone, ...attempts],
  [attemptsBy.dead, ...attempts],
  [attemptLatency, "pix_event_attempt_latency_ms", "Milliseconds from the start of an attempt to its outcome"],
  [queueDepth, "pix_events_waiting", "Deliveries that wait in the outbox"],
  [oldestAge, "pix_events_oldest_age_ms", "Milliseconds since the delivery that waits longest was queued"],
])("%s is measured as %s: %s", (metric, id, description) => {
  expect(metric).toMatchObject({ id, description })
})

/** What is measured where nothing was before: the process has one registry, in which what comes first stays. */
const inNewRegistry = <A>(measured: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provideService(measured, Metric.MetricRegistry, new Map()))

it("attempts are counted by a counter that only rises", async () => {
  const states = await inNewRegistry(Effect.forEach(Object.values(attemptsBy), Metric.value))
  expect(states.map(({ incremental }) => incremental)).toEqual([true, true, true, true])
})

it("latencies are counted from a millisecond up to the 15 s that an attempt may take", async () => {
  const { buckets } = await inNewRegistry(Metric.value(attemptLatency))
  const bounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000]
  expect(buckets.map(([bound]) => bound).filter(Number.isFinite)).toEqual(bounds)
})
