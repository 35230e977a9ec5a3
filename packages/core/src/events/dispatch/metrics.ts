import * as Metric from "effect/Metric"

/** What an attempt, or its settlement, came to. */
export type AttemptOutcome = "delivered" | "retry" | "gone" | "dead"

const attempts = Metric.counter("pix_event_attempts", {
  description: "Attempts to send an event to an endpoint, by outcome",
  incremental: true,
})

/** Attempts by what became of them. */
export const attemptsBy: Readonly<Record<AttemptOutcome, Metric.Counter<number>>> = {
  delivered: Metric.withAttributes(attempts, { outcome: "delivered" }),
  retry: Metric.withAttributes(attempts, { outcome: "retry" }),
  gone: Metric.withAttributes(attempts, { outcome: "gone" }),
  dead: Metric.withAttributes(attempts, { outcome: "dead" }),
}

/** How long receivers take to answer. */
export const attemptLatency = Metric.histogram("pix_event_attempt_latency_ms", {
  description: "Milliseconds from the start of an attempt to its outcome",
  boundaries: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000],
})

/** Deliveries that wait in the outbox, due or not. */
export const queueDepth = Metric.gauge("pix_events_waiting", { description: "Deliveries that wait in the outbox" })

/** Milliseconds since the delivery that waits longest was queued: committed, replayed or restored; 0 when none waits. */
export const oldestAge = Metric.gauge("pix_events_oldest_age_ms", {
  description: "Milliseconds since the delivery that waits longest was queued",
})
