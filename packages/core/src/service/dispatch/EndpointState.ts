import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import type { DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import { afterOutcome, allowedAtOnce, closedBreaker, isFailure } from "./CircuitBreaker.ts"
import { afterAttempt, initialLimit } from "./ConcurrencyLimit.ts"

// Moments are milliseconds of the monotonic clock, here and in `EndpointQueue`.

/** What the endpoints of one process have in common. */
export interface SharedState {
  readonly now: () => number
  /** Attempts under way, to all endpoints. */
  inFlight: number
  /** Nothing is begun any more. */
  isStopping: boolean
  /** Open when queues should be claimed. */
  readonly claimWanted: Latch.Latch
}

/** The right to have one attempt under way. */
export interface Permit {
  readonly since: number
}

/** A queue's turn for a permit. */
interface Waiter {
  readonly since: number
  /** Whether it may give up: nothing of its queue is under way. */
  readonly isIdle: () => boolean
  readonly resume: (permit: Permit | undefined) => void
}

/** Attempts that this process has under way at once. */
const mostInFlight = 4_096
const mostAtOnce = 64
const mostRead = 512
/** For so long deliveries are read ahead; less than they stay fresh. */
const horizonMs = 700
/** More queues are claimed when those that wait for a permit are less than this part of what the endpoint takes. */
const lowWater = 0.15
const longestWaitMs = 1_000
const firstPauseMs = 1_000
const longestPauseMs = 4_000
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
  /** The last claim was to bring nothing for it, because it had enough. */
  #isExcepted = false
  /** Oldest first. */
  readonly #active = new Set<Permit>()
  readonly #waiters = new Set<Waiter>()
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
    return !isStopping && this.paused === undefined && now() >= this.breaker.restsUntil
  }

  /** Waits for a permit; undefined when the queue should be released instead: nothing goes there now, or not soon. */
  take(isIdle: () => boolean): Effect.Effect<Permit | undefined> {
    return Effect.suspend(() => {
      if (!this.isOpen()) return Effect.undefined
      if (this.#waiters.size === 0 && this.hasRoom()) return Effect.succeed(this.#grant())
      return Effect.callback<Permit | undefined>((resume) => {
        this.#waiters.add({ since: this.#shared.now(), isIdle, resume: (permit) => resume(Effect.succeed(permit)) })
      })
    })
  }

  giveBack(permit: Permit): void {
    this.#active.delete(permit)
    this.#shared.inFlight--
    this.wake()
  }

  /** Learns from an attempt that has ended, and frees its permit. */
  learn(permit: Permit, outcome: DeliveryOutcome, latencyMs: number): void {
    const full = this.#active.size >= Math.floor(this.limit.atOnce)
    this.#usedAt = this.#shared.now()
    this.breaker = afterOutcome(this.breaker, outcome, this.#usedAt)
    this.limit = afterAttempt(this.limit, { failed: isFailure(outcome), latencyMs, full })
    if (outcome._tag === "Gone") this.pause()
    this.giveBack(permit)
  }

  /** Leaves it alone until it is looked up again, for twice as long as the last time if it still takes nothing. */
  pause(): void {
    const ms = this.paused === undefined ? firstPauseMs : Math.min(this.paused.ms * 2, longestPauseMs)
    this.paused = { until: this.#shared.now() + ms, ms }
  }

  /** Gives waiting queues their permits, or turns them away where there will be none. */
  wake(): void {
    const isOpen = this.isOpen()
    for (const waiter of this.#waiters) {
      const waitsInVain = waiter.since + longestWaitMs < this.#shared.now() && waiter.isIdle()
      if (isOpen && !waitsInVain && !this.hasRoom()) continue
      this.#waiters.delete(waiter)
      waiter.resume(isOpen && this.hasRoom() ? this.#grant() : undefined)
    }
    if (this.#isExcepted && isOpen && !this.#hasEnough()) {
      this.#isExcepted = false
      this.#shared.claimWanted.openUnsafe()
    }
  }

  /** Whether a claim should bring nothing for it. */
  except(): boolean {
    const isOpen = this.isOpen()
    this.#isExcepted = isOpen && this.#hasEnough()
    return !isOpen || this.#isExcepted
  }

  hasRoom(): boolean {
    // Once many attempts are under way each endpoint gets one, so that those that hang can't crowd out the rest.
    const { inFlight, now } = this.#shared
    const most = inFlight >= mostInFlight ? 0 : inFlight > mostInFlight / 2 ? 1 : mostAtOnce
    return allowedAtOnce(this.breaker, now(), Math.min(most, Math.floor(this.limit.atOnce))) > this.#active.size
  }

  /** How many deliveries a queue should read: its part of what the receiver takes soon. The rest would grow stale. */
  readSize(): number {
    return Math.max(Math.ceil(this.#demand() / Math.max(this.queues, 1)), 1)
  }

  isForgettable(): boolean {
    const isUsed = this.queues > 0 || this.#active.size > 0 || this.paused !== undefined
    return !isUsed && this.#shared.now() > Math.max(this.#usedAt, this.breaker.restsUntil) + memoryMs
  }

  #grant(): Permit {
    const permit = { since: this.#shared.now() }
    this.#active.add(permit)
    this.#shared.inFlight++
    return permit
  }

  #hasEnough(): boolean {
    return !this.hasRoom() && this.#waiters.size >= this.#demand() * lowWater
  }

  #demand(): number {
    if (this.breaker.restsUntil !== 0) return 1
    const now = this.#shared.now()
    const [oldest] = this.#active
    // One that hangs now is as slow as it hangs.
    const slowestMs = Math.max(this.limit.latencyMs, now - (oldest?.since ?? now), 1)
    return Math.min(Math.floor((this.limit.atOnce * horizonMs) / slowestMs), mostRead)
  }
}
