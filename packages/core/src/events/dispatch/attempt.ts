import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallbackDelivery, DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import type { Endpoint } from "../../directory/Endpoint.ts"
import type { CallbackEndpoints } from "../../ports/CallbackEndpoints.ts"
import type { DeliveryAttempt, DeliveryFate, DueDelivery } from "../../ports/Outbox.ts"
import { attemptLatency, attemptsBy } from "./metrics.ts"
import { retryDelayMs } from "./retrySchedule.ts"
import { broken, soundOutcome } from "./soundOutcome.ts"
import { readMonotonicMs } from "../../runtime/monotonicMs.ts"
import { logAndContinue } from "../../runtime/telemetry/logAndContinue.ts"
import { logFailure, useSafeSpan } from "../../runtime/telemetry/index.ts"

/** What came of a delivery whose turn it was. */
export type Verdict =
  | {
      readonly _tag: "Attempted"
      readonly outcome: DeliveryOutcome
      readonly fate: DeliveryFate
      readonly attempt: DeliveryAttempt
    }
  /** Nothing was attempted: the endpoint takes nothing now, or could not be looked up in time. */
  | { readonly _tag: "Untried" }

/** When a delivery is tried again, or that it is dead: decided by what happened and by nothing else (decision 24). */
export const deliveryFate = (
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

/** What is kept of an attempt. */
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

// Another process may know it, or this one tomorrow; if it is gone for good, the schedule ends.
const unregistered: DeliveryOutcome = { _tag: "Retry", reason: "the endpoint is not registered" }
const untried: Verdict = { _tag: "Untried" }

export interface AttemptPorts {
  readonly endpoints: CallbackEndpoints["Service"]
  readonly delivery: CallbackDelivery["Service"]
  readonly clock: Clock.Clock
  readonly random: () => number
}

/**
 * Looks up a delivery's endpoint and makes one attempt. Nothing is sent if `mayBegin` says no after the look-up. Never fails.
 */
export const makeAttempt = ({ endpoints, delivery, clock, random }: AttemptPorts) => {
  const deliver = ({ event, endpointId, attempt }: DueDelivery, endpoint: Endpoint) => {
    const attributes = {
      "event.id": event.id,
      "event.kind": event.kind,
      "endpoint.id": endpointId,
      "delivery.attempt": attempt,
    }
    // Not `withSpan`, which records a stack for each: here it would always be the same one.
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

  /** If the status can't be written now, the next 410 writes it. */
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
    // Suspended: a host's look-up may throw instead of failing, which would leave the delivery under way for ever.
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
