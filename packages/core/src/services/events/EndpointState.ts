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

/** The cool-down is far shorter than the retry schedule's steps, so that it never decides when an event dies. */
const rule: BreakerRule = { failuresToOpen: 5, firstMs: 5_000, maxMs: 60_000 }

/** No answer, or one that speaks of the receiver's own trouble; another refusal is about the event, and shows it alive. */
export const isFailure = (outcome: DeliveryOutcome): boolean => {
  if (outcome._tag !== "Retry") return false
  const { status } = outcome
  return status === undefined || status >= 500 || status === 408 || status === 429
}

const requestedCoolDownMs = (outcome: DeliveryOutcome): number | undefined =>
  outcome._tag === "Retry" && (outcome.status === 429 || outcome.status === 503) ? outcome.retryAfterMs : undefined

/** An endpoint's breaker after one more outcome. */
export const afterOutcome = (breaker: CircuitBreaker, outcome: DeliveryOutcome, now: number): CircuitBreaker =>
  isFailure(outcome) ? afterFailure(breaker, rule, now, requestedCoolDownMs(outcome)) : closedBreaker

// Moments are milliseconds of the monotonic clock, here and in `EndpointQueue`.

/** What the endpoints of one process have in common. */
export interface SharedState {
  readonly now: () => number
  /** Attempts under way, to all endpoints. */
  inFlight: number
  /** Nothing is begun any more. */
  readonly isStopping: boolean
  /** Open when queues should be claimed. */
  readonly claimWanted: Latch.Latch
  /** Wakes an endpoint at the next turn of the event loop. */
  readonly wakeLater: (endpoint: EndpointState) => void
}

/** A queue that waits for a permit. */
interface Waiter {
  readonly since: number
  /** Whether it may give up: nothing of its queue is under way. */
  readonly isIdle: () => boolean
  readonly resume: (isGranted: boolean) => void
}

/** Attempts that this process has under way at once. */
const maxInFlight = 4_096
const maxAtOnce = 64
/** This many waiting queues keep an endpoint busy until the next claim. */
const enoughWaiters = 16
const maxWaitMs = 1_000
const pausedBackOff = { firstMs: 1_000, maxMs: 4_000 }
/** For how long what is known of an endpoint is worth keeping. */
const memoryMs = 60_000

/**
 * What one process knows of an endpoint, shared by all queues that lead there: a semaphore whose permits follow what the
 * receiver takes. Queues get permits in turn.
 */
export class EndpointState {
  readonly endpointId: string
  /** How many queues that lead to it this process leases. */
  queues = 0
  breaker = closedBreaker
  limit = initialLimit
  /** It takes nothing (paused, disabled, unreadable), and is looked up again then. */
  paused: { readonly until: number; readonly ms: number } | undefined = undefined
  /** Permits taken. */
  #active = 0
  readonly #waiters = new Set<Waiter>()
  /** A queue was refused a permit since the last permit was given back. */
  #isSlow = false
  /** The last claim left it out because it was saturated. */
  #wasSaturated = false
  readonly #shared: SharedState
  #usedAt: number

  constructor(endpointId: string, shared: SharedState) {
    this.endpointId = endpointId
    this.#shared = shared
    this.#usedAt = shared.now()
  }

  /** Whether deliveries may be sent to it now. */
  isOpen(): boolean {
    const { now, isStopping } = this.#shared
    return !isStopping && this.paused === undefined && now() >= this.breaker.coolDownUntil
  }

  /**
   * Whether it takes another attempt. Once many attempts are under way to all endpoints, each takes one at a time, so that
   * endpoints that hang don't use up every place.
   */
  hasRoom(): boolean {
    const { inFlight, now } = this.#shared
    const maxStarts = inFlight >= maxInFlight ? 0 : inFlight > maxInFlight / 2 ? 1 : maxAtOnce
    return allowedAtOnce(this.breaker, now(), Math.min(maxStarts, Math.floor(this.limit.atOnce))) > this.#active
  }

  /** Waits for a permit; false when the queue should be released instead: nothing goes there now, or not soon. */
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

  /** Learns from an attempt that has ended, and releases its permit. */
  learn(outcome: DeliveryOutcome, latencyMs: number): void {
    const isFull = this.#active >= Math.floor(this.limit.atOnce)
    this.#usedAt = this.#shared.now()
    this.breaker = afterOutcome(this.breaker, outcome, this.#usedAt)
    this.limit = afterAttempt(this.limit, { hasFailed: isFailure(outcome), latencyMs, isFull })
    if (outcome._tag === "Gone") this.pause()
    this.releasePermit()
  }

  /** Leaves it alone until it is looked up again, for twice as long as the last time if it still takes nothing. */
  pause(): void {
    const ms = nextDelayMs(pausedBackOff, this.paused?.ms)
    this.paused = { until: this.#shared.now() + ms, ms }
  }

  /** Gives permits to waiting queues in turn, or refuses them when the endpoint takes nothing; may ask for a claim. */
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

  /** Refuses queues that have waited for long with nothing under way: another process may have room for them. */
  refuseLongWaiters(): void {
    for (const waiter of this.#waiters) {
      if (this.#shared.now() <= waiter.since + maxWaitMs) break
      if (!waiter.isIdle()) continue
      this.#isSlow = true
      this.#answer(waiter, false)
    }
  }

  /** Whether a claim should leave it out. */
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

  /** Whether it has no room, and enough queues that wait for it. */
  #isSaturated(): boolean {
    return !this.hasRoom() && (this.#isSlow || this.#waiters.size >= enoughWaiters)
  }
}
