import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Predicate from "effect/Predicate"
import type { Endpoint } from "../../model/directory/Endpoint.ts"
import type { CallbackDelivery, CallbackEndpoints, DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import type { DeliveryAttempt, DeliveryFate, DueDelivery } from "../../ports/Outbox.ts"
import { readMonotonicMs } from "../../runtime/clock.ts"
import { storableText } from "../../runtime/storable.ts"
import { logAndContinue, logFailure, useSafeSpan } from "../../runtime/telemetry.ts"

const maxTextLength = 1_024
const control = /(?![\n\t])\p{Cc}/gu

const soundText = (text: unknown): string => storableText(String(text).slice(0, maxTextLength)).replaceAll(control, "")

const isStatus = (status: unknown): status is number =>
  typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599

const isDelay = (ms: unknown): ms is number => typeof ms === "number" && ms >= 0

const broken: DeliveryOutcome = { _tag: "Retry", reason: "the delivery itself broke" }

/** Makes any outcome of a host's own delivery storable, with texts of at most a kilobyte. */
export const soundOutcome = (answered: DeliveryOutcome): DeliveryOutcome => {
  const { _tag, status, answer, ...more }: Partial<DeliveryOutcome> = answered ?? {}
  const facts = {
    ...(isStatus(status) && { status }),
    ...(Predicate.isNotNullish(answer) && { answer: soundText(answer) }),
  }
  if (_tag === "Delivered" || _tag === "Gone") return { ...facts, _tag }
  if (_tag !== "Retry") return broken
  const { reason = "", retryAfterMs }: { readonly reason?: string; readonly retryAfterMs?: number } = more
  const retryAfter = isDelay(retryAfterMs) && { retryAfterMs: Math.min(retryAfterMs, Number.MAX_SAFE_INTEGER) }
  return { ...facts, _tag, reason: soundText(reason), ...retryAfter }
}

export type AttemptOutcome = "delivered" | "retry" | "gone" | "dead"

const attempts = Metric.counter("pix_event_attempts", {
  description: "Attempts to send an event to an endpoint, by outcome",
  incremental: true,
})

export const attemptsBy: Readonly<Record<AttemptOutcome, Metric.Counter<number>>> = {
  delivered: Metric.withAttributes(attempts, { outcome: "delivered" }),
  retry: Metric.withAttributes(attempts, { outcome: "retry" }),
  gone: Metric.withAttributes(attempts, { outcome: "gone" }),
  dead: Metric.withAttributes(attempts, { outcome: "dead" }),
}

export const attemptLatency = Metric.histogram("pix_event_attempt_latency_ms", {
  description: "Milliseconds from the start of an attempt to its outcome",
  boundaries: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000],
})

export const queueDepth = Metric.gauge("pix_events_waiting", { description: "Deliveries that wait in the outbox" })

/** Milliseconds since the longest-waiting delivery was committed, replayed or restored; 0 without a waiting delivery. */
export const oldestAge = Metric.gauge("pix_events_oldest_age_ms", {
  description: "Milliseconds since the delivery that waits longest was queued",
})

export type Verdict =
  | {
      readonly _tag: "Attempted"
      readonly outcome: DeliveryOutcome
      readonly fate: DeliveryFate
      readonly attempt: DeliveryAttempt
    }
  /** The endpoint takes no events now, or couldn't be looked up in time. */
  | { readonly _tag: "Untried" }

const deliveryFate = (
  outcome: DeliveryOutcome,
  attempt: number,
  now: number,
  /** From 0 to 1. */
  random: number,
): DeliveryFate => {
  if (outcome._tag === "Delivered") return { _tag: "Delivered" }
  const delayMs = retryDelayMs(attempt, random, outcome._tag === "Retry" ? outcome.retryAfterMs : undefined)
  if (delayMs !== undefined) return { _tag: "Retry", at: now + delayMs }
  return { _tag: "Dead", reason: failureReason(outcome) ?? "" }
}

const failureReason = (outcome: DeliveryOutcome): string | undefined =>
  outcome._tag === "Retry" ? outcome.reason : outcome._tag === "Gone" ? "the receiver wants no more events" : undefined

const attemptRecord = (outcome: DeliveryOutcome, startedAt: number, latencyMs: number): DeliveryAttempt => {
  const { status, answer } = outcome
  const error = failureReason(outcome)
  return {
    startedAt,
    latencyMs,
    ...(status !== undefined && { status }),
    ...(answer !== undefined && { answer }),
    ...(error !== undefined && { error }),
  }
}

// Retried, because another process may know the endpoint.
const unregistered: DeliveryOutcome = { _tag: "Retry", reason: "the endpoint is not registered" }
const untried: Verdict = { _tag: "Untried" }

export interface AttemptPorts {
  readonly endpoints: CallbackEndpoints["Service"]
  readonly delivery: CallbackDelivery["Service"]
  readonly clock: Clock.Clock
  readonly random: () => number
}

/** Skips the attempt if `mayBegin` returns false after the look-up of the endpoint. Never fails. */
export const makeAttempt = ({ endpoints, delivery, clock, random }: AttemptPorts) => {
  const deliver = ({ event, endpointId, attempt }: DueDelivery, endpoint: Endpoint) => {
    const attributes = {
      "event.id": event.id,
      "event.kind": event.kind,
      "endpoint.id": endpointId,
      "delivery.attempt": attempt,
    }
    // Not `withSpan`: it would record the same stack for each attempt.
    return useSafeSpan("pix.event.deliver", { kind: "producer", attributes }, (span) =>
      Effect.suspend(() => delivery.deliver(event, endpoint, attempt)).pipe(
        Effect.map(soundOutcome),
        Effect.catchDefect((defect) => Effect.as(logFailure("Error", "A callback delivery broke", defect), broken)),
        Effect.map((outcome) => {
          span.attribute("delivery.outcome", outcome._tag)
          if (outcome.status !== undefined) span.attribute("http.response.status_code", outcome.status)
          return outcome
        }),
      ),
    )
  }

  const disable = (endpointId: string) =>
    Effect.andThen(
      Effect.logWarning(`The receiver of endpoint ${endpointId} wants no more events (410): it is disabled`),
      logAndContinue(`Endpoint ${endpointId} could not be disabled`)(
        Effect.suspend(() => endpoints.setStatus(endpointId, "disabled")),
      ),
    )

  return (due: DueDelivery, mayBegin: () => boolean): Effect.Effect<Verdict> => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const began = readMonotonicMs(clock)
    const conclude = (outcome: DeliveryOutcome) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const latencyMs = Math.max(0, readMonotonicMs(clock) - began)
        const fate = deliveryFate(outcome, due.attempt, clock.currentTimeMillisUnsafe(), random())
        attemptsBy[attemptOutcome(outcome, fate)].updateUnsafe(1, context)
        attemptLatency.updateUnsafe(latencyMs, context)
        const verdict: Verdict = {
          _tag: "Attempted",
          outcome,
          fate,
          attempt: attemptRecord(outcome, startedAt, latencyMs),
        }
        return outcome._tag === "Gone" ? Effect.as(disable(due.endpointId), verdict) : Effect.succeed(verdict)
      })
    // Suspended because a host's look-up can throw.
    const found = Effect.suspend(() => endpoints.find(due.endpointId))
    const attempted = Effect.flatMap(found, (endpoint): Effect.Effect<Verdict> => {
      if (endpoint === undefined) return conclude(unregistered)
      if (endpoint.status !== "enabled" || !mayBegin()) return Effect.succeed(untried)
      return Effect.flatMap(deliver(due, endpoint), conclude)
    })
    return Effect.catchCause(attempted, (cause) =>
      Effect.as(logFailure("Warn", `Endpoint ${due.endpointId} could not be looked up`, cause), untried),
    )
  }
}

const attemptOutcome = ({ _tag }: DeliveryOutcome, fate: DeliveryFate) =>
  _tag === "Delivered" ? "delivered" : fate._tag === "Dead" ? "dead" : _tag === "Gone" ? "gone" : "retry"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

// Waits before each attempt after the first, ten attempts in all (decision 24, the retry table of Standard Webhooks).
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const spread = 0.2
const maxRetryAfterMs = 24 * hour

/**
 * The wait after failed attempt `attempt` (from 1), spread by ±20 %. At least `retryAfterMs`, up to a day. Undefined after the
 * last attempt.
 */
export const retryDelayMs = (
  attempt: number,
  /** From 0 to 1. */
  random: number,
  retryAfterMs = 0,
): number | undefined => {
  const delay = delaysMs[attempt - 1]
  if (delay === undefined) return undefined
  return Math.max(Math.round(delay * (1 - spread + 2 * spread * random)), Math.min(retryAfterMs, maxRetryAfterMs))
}
