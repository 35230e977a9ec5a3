import { expect, it } from "vitest"
import { attemptLatency, attemptsBy, oldestAge, queueDepth } from "../../../src/service/dispatch/metrics.ts"

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
