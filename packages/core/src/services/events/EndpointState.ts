import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import type { DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import {
  afterAttempt,
  afterFailure,
  allowedAtOnce,
  type BreakerRule,
  type CircuitBreaker,
  closedBreaker,
  initialLimit,
  nextDelayMs,
} from "../../runtime/breaker.ts"

/** Far shorter than the whole retry schedule, so a cool-down doesn't decide when an event becomes a dead letter. */
const rule: BreakerRule = { failuresToOpen: 5, firstMs: 5_000, maxMs: 60_000 }

/** A receiver that refuses only this event works. */
export const isFailure = (outcome: DeliveryOutcome): boolean => {
  if (outcome._tag !== "Retry") return false
  const { status } = outcome
  return status === undefined || status >= 500 || status === 408 || status === 429
}

const requestedCoolDownMs = (outcome: DeliveryOutcome): number | undefined =>
  outcome._tag === "Retry" && (outcome.status === 429 || outcome.status === 503) ? outcome.retryAfterMs : undefined

export const afterOutcome = (breaker: CircuitBreaker, outcome: DeliveryOutcome, now: number): CircuitBreaker =>
  isFailure(outcome) ? afterFailure(breaker, rule, now, requestedCoolDownMs(outcome)) : closedBreaker

// Times are milliseconds of the monotonic clock, here and in `EndpointQueue`.

export interface SharedState {
  readonly now: () => number
  /** Attempts under way to all endpoints. */
  inFlight: number
  readonly isStopping: boolean
  readonly claimWanted: Latch.Latch
  readonly wakeLater: (endpoint: EndpointState) => void
}

interface Waiter {
  readonly since: number
  readonly isIdle: () => boolean
  readonly resume: (isGranted: boolean) => void
}

const maxInFlight = 4_096
const maxAtOnce = 64
const enoughWaiters = 16
const maxWaitMs = 1_000
const pausedBackOff = { firstMs: 1_000, maxMs: 4_000 }
const memoryMs = 60_000

/** A fair semaphore, shared by the endpoint's queues, whose number of permits adapts to the receiver. */
export class EndpointState {
  readonly endpointId: string
  queues = 0
  breaker = closedBreaker
  limit = initialLimit
  /** Paused, disabled or unreadable until it is looked up again at `until`. */
  paused: { readonly until: number; readonly ms: number } | undefined = undefined
  #active = 0
  readonly #waiters = new Set<Waiter>()
  #isSlow = false
  #wasSaturated = false
  readonly #shared: SharedState
  #usedAt: number

  constructor(endpointId: string, shared: SharedState) {
    this.endpointId = endpointId
    this.#shared = shared
    this.#usedAt = shared.now()
  }

  isOpen(): boolean {
    const { now, isStopping } = this.#shared
    return !isStopping && this.paused === undefined && now() >= this.breaker.coolDownUntil
  }

  /** With many attempts under way, each endpoint gets one at a time: hanging endpoints can't use every place. */
  hasRoom(): boolean {
    const { inFlight, now } = this.#shared
    const maxStarts = inFlight >= maxInFlight ? 0 : inFlight > maxInFlight / 2 ? 1 : maxAtOnce
    return allowedAtOnce(this.breaker, now(), Math.min(maxStarts, Math.floor(this.limit.atOnce))) > this.#active
  }

  /** Returns false if the queue should be released. */
  take(isIdle: () => boolean): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      if (!this.isOpen()) return Effect.succeed(false)
      if (this.#waiters.size === 0 && this.hasRoom()) return Effect.succeed(this.#grant())
      return Effect.callback<boolean>((resume) => {
        const since = this.#shared.now()
        this.#waiters.add({ since, isIdle, resume: (isGranted) => resume(Effect.succeed(isGranted)) })
      })
    })
  }

  releasePermit(): void {
    this.#active--
    this.#shared.inFlight--
    this.#isSlow = false
    this.#shared.wakeLater(this)
  }

  learn(outcome: DeliveryOutcome, latencyMs: number): void {
    const isFull = this.#active >= Math.floor(this.limit.atOnce)
    this.#usedAt = this.#shared.now()
    this.breaker = afterOutcome(this.breaker, outcome, this.#usedAt)
    this.limit = afterAttempt(this.limit, { hasFailed: isFailure(outcome), latencyMs, isFull })
    if (outcome._tag === "Gone") this.pause()
    this.releasePermit()
  }

  pause(): void {
    const ms = nextDelayMs(pausedBackOff, this.paused?.ms)
    this.paused = { until: this.#shared.now() + ms, ms }
  }

  /** Also requests a claim once the endpoint is no longer saturated. */
  wake(): void {
    const isOpen = this.isOpen()
    for (const waiter of this.#waiters) {
      if (isOpen && !this.hasRoom()) break
      this.#answer(waiter, isOpen && this.#grant())
    }
    if (!this.#wasSaturated || !isOpen || this.#isSaturated()) return
    this.#wasSaturated = false
    this.#shared.claimWanted.openUnsafe()
  }

  /** Refuses idle queues: another process may have room for them. */
  refuseLongWaiters(): void {
    for (const waiter of this.#waiters) {
      if (this.#shared.now() <= waiter.since + maxWaitMs) break
      if (!waiter.isIdle()) continue
      this.#isSlow = true
      this.#answer(waiter, false)
    }
  }

  isExcluded(): boolean {
    const isOpen = this.isOpen()
    this.#wasSaturated = isOpen && this.#isSaturated()
    return !isOpen || this.#wasSaturated
  }

  isForgettable(): boolean {
    const isUsed = this.queues > 0 || this.paused !== undefined
    return !isUsed && this.#shared.now() > Math.max(this.#usedAt, this.breaker.coolDownUntil) + memoryMs
  }

  #grant(): true {
    this.#active++
    this.#shared.inFlight++
    return true
  }

  #answer(waiter: Waiter, isGranted: boolean): void {
    this.#waiters.delete(waiter)
    waiter.resume(isGranted)
  }

  #isSaturated(): boolean {
    return !this.hasRoom() && (this.#isSlow || this.#waiters.size >= enoughWaiters)
  }
}
