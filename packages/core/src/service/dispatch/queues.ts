import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { DueDelivery, LeasedQueue, QueueLease, Settlement } from "../../ports/Outbox.ts"
import type { Verdict } from "./attempt.ts"
import {
  beginNext,
  type EndpointQueue,
  isDrained,
  isStale,
  lineOf,
  newQueue,
  queueKey,
  refill,
} from "./EndpointQueue.ts"
import {
  demand,
  type EndpointState,
  isForgettable,
  isOpen,
  learn,
  newEndpoint,
  pause,
  roomFor,
} from "./EndpointState.ts"

/** Leases that this process holds at once, and attempts that it has under way. */
const mostHeld = 4_096
/** Claimed in one statement. */
const mostClaimed = 256
const mostAtOnce = 64
const headStartMs = 100
/** More is read when less than this part of what an endpoint takes is at hand. */
const lowWater = 0.15

export interface QueuesPorts {
  readonly leaseMs: number
  readonly clock: Clock.Clock
  readonly attempt: (delivery: DueDelivery) => Effect.Effect<Verdict>
  readonly settle: (settlement: Settlement) => void
  /** Runs an attempt on a fiber of its own. */
  readonly start: (attempt: Effect.Effect<Verdict>, conclude: (verdict: Verdict) => void) => void
}

/** A lease that is to be ended, so that others can have the queue after so many milliseconds. */
export interface Release {
  readonly lease: QueueLease
  readonly restMs: number
}

/** The queues that this process leases, and what it knows of their endpoints: begins attempts as endpoints take them. */
export const makeQueues = ({ leaseMs, clock, attempt, settle, start }: QueuesPorts) => {
  const endpoints = new Map<string, EndpointState>()
  const queues = new Map<string, EndpointQueue>()
  let underWay = 0
  let isStopping = false
  let nextRetryAt = Number.POSITIVE_INFINITY
  let releases: Array<Release> = []
  const marked = new Set<EndpointState>()
  const toRead = new Set<EndpointState>()
  /** Open while there is something to do of each kind. */
  const turns = { advance: Latch.makeUnsafe(), read: Latch.makeUnsafe(), release: Latch.makeUnsafe() }
  /** Open when queues should be claimed. */
  const wanted = Latch.makeUnsafe()
  /** Open while endpoints that take nothing are to be looked up again. */
  const somePaused = Latch.makeUnsafe()
  /** Open while queues are leased. */
  const someLeased = Latch.makeUnsafe()
  /** Open when nothing is leased any more after `stop`. */
  const empty = Latch.makeUnsafe()

  const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  /** Once many attempts are under way each endpoint gets one, so that those that hang can't crowd out the rest. */
  const mostNow = (): number => (underWay >= mostHeld ? 0 : underWay > mostHeld / 2 ? 1 : mostAtOnce)

  /** The endpoint to which a queue leads. */
  const queueEndpoint = ({ lease: { endpointId } }: EndpointQueue): EndpointState => {
    const endpoint = endpoints.get(endpointId) ?? newEndpoint(endpointId, monotonicMs())
    endpoints.set(endpointId, endpoint)
    return endpoint
  }

  const readyFor = ({ queues: own }: EndpointState): number => {
    let count = 0
    for (const { ready } of own) count += ready.length
    return count
  }

  /** Lets an endpoint begin what it may at the next turn of the event loop: what many answers free goes out together. */
  const mark = (endpoint: EndpointState): void => {
    marked.add(endpoint)
    turns.advance.openUnsafe()
  }

  const forget = (queue: EndpointQueue): void => {
    queueEndpoint(queue).queues.delete(queue)
    queues.delete(queueKey(queue.lease))
    if (queues.size === 0) someLeased.closeUnsafe()
    if (queues.size === 0 && isStopping) empty.openUnsafe()
  }

  /** Ends the lease of a queue with nothing under way; one whose endpoint is failing is nobody's until it may be tried. */
  const release = (queue: EndpointQueue): void => {
    // A little sooner than this process tries it, so that it finds the queue free then.
    const restMs = Math.max(queueEndpoint(queue).breaker.restsUntil - monotonicMs() - headStartMs, 0)
    queue.isLeaving = true
    releases.push({ lease: queue.lease, restMs })
    turns.release.openUnsafe()
  }

  /** Lets go of a queue that this process has no use for now. */
  const releaseIfIdle = (queue: EndpointQueue): void => {
    const now = monotonicMs()
    if (queue.underWay.size > 0 || queue.isLeaving) return
    const waitsInVain = isStale(queue, now) && roomFor(queueEndpoint(queue), now, mostNow()) <= 0
    if (isStopping || isDrained(queue) || !isOpen(queueEndpoint(queue), now) || waitsInVain) release(queue)
  }

  const pauseEndpoint = (endpoint: EndpointState): void => {
    pause(endpoint, monotonicMs())
    somePaused.openUnsafe()
  }

  const conclude = (queue: EndpointQueue, lease: QueueLease, delivery: DueDelivery, verdict: Verdict): void => {
    const endpoint = queueEndpoint(queue)
    underWay--
    if (verdict._tag === "Attempted") {
      const { outcome, fate, attempt: made } = verdict
      learn(endpoint, delivery, { outcome, latencyMs: made.latencyMs, now: monotonicMs() })
      if (outcome._tag === "Gone") pauseEndpoint(endpoint)
      if (fate._tag === "Retry") nextRetryAt = Math.min(nextRetryAt, fate.at)
      settle({ lease, eventId: delivery.event.id, number: delivery.attempt, fate, attempt: made })
    } else {
      endpoint.active.delete(delivery)
      queue.underWay.delete(lineOf(delivery))
      pauseEndpoint(endpoint)
      releaseIfIdle(queue)
    }
    mark(endpoint)
  }

  const begin = (queue: EndpointQueue, delivery: DueDelivery): void => {
    const { lease } = queue
    const endpoint = queueEndpoint(queue)
    endpoint.active.set(delivery, monotonicMs())
    underWay++
    start(attempt(delivery), (verdict) => conclude(queue, lease, delivery, verdict))
  }

  /** How many deliveries an endpoint lacks: none while enough is at hand. */
  const missingFor = (endpoint: EndpointState): number => {
    const now = monotonicMs()
    const wants = isOpen(endpoint, now) ? demand(endpoint, now, mostNow()) : 0
    const ready = readyFor(endpoint)
    return ready > wants * lowWater ? 0 : wants - ready
  }

  const readable = ({ queues: own }: EndpointState): ReadonlyArray<EndpointQueue> =>
    [...own].filter(({ hasMore, isLeaving }) => hasMore && !isLeaving)

  /** Asks for more where an endpoint could soon take more than is at hand. */
  const askForMore = (endpoint: EndpointState): void => {
    if (missingFor(endpoint) === 0) return
    if (readable(endpoint).length > 0) {
      toRead.add(endpoint)
      turns.read.openUnsafe()
    } else if (endpoint.isSatisfied) {
      endpoint.isSatisfied = false
      wanted.openUnsafe()
    }
  }

  /** Begins what may begin at an endpoint, its queues in turn. */
  const advance = (endpoint: EndpointState): void => {
    if (isStopping) return
    let room = roomFor(endpoint, monotonicMs(), mostNow())
    for (const queue of endpoint.queues) {
      if (room <= 0) break
      const delivery = beginNext(queue, monotonicMs(), leaseMs)
      if (delivery === undefined) continue
      room--
      // Behind the others, where it is met again in this round.
      endpoint.queues.delete(queue)
      endpoint.queues.add(queue)
      begin(queue, delivery)
    }
    askForMore(endpoint)
  }

  const takeIn = (
    { lease, due }: LeasedQueue,
    read: { readonly askedAt: number; readonly limit: number; readonly isClaim: boolean },
  ): void => {
    const known = queues.get(queueKey(lease))
    if (known === undefined && !read.isClaim) return
    const queue = known ?? newQueue(lease, read.askedAt)
    if (read.isClaim) {
      queues.set(queueKey(lease), queue)
      someLeased.openUnsafe()
      empty.closeUnsafe()
      queueEndpoint(queue).queues.add(queue)
      // One that was lost, or released, with what is still under way.
      queue.lease = lease
      queue.leasedAt = read.askedAt
      queue.settled.clear()
      queue.isLeaving = false
    }
    refill(queue, isStopping ? [] : due, { ...read, answeredAt: monotonicMs() })
    releaseIfIdle(queue)
    mark(queueEndpoint(queue))
  }

  /** What a claim should bring; forgets endpoints of which nothing matters any more. */
  const claimRequest = (): { readonly limit: number; readonly except: ReadonlyArray<string> } => {
    const now = monotonicMs()
    if (clock.currentTimeMillisUnsafe() >= nextRetryAt) nextRetryAt = Number.POSITIVE_INFINITY
    const except: Array<string> = []
    for (const endpoint of endpoints.values()) {
      if (isForgettable(endpoint, now)) {
        endpoints.delete(endpoint.endpointId)
        continue
      }
      endpoint.isSatisfied = isOpen(endpoint, now) && missingFor(endpoint) === 0
      if (!isOpen(endpoint, now) || endpoint.isSatisfied) except.push(endpoint.endpointId)
    }
    return { limit: isStopping ? 0 : Math.min(mostHeld - queues.size, mostClaimed), except }
  }

  /** What should be read: of each endpoint's queues that may hold more, a part of what it takes. */
  const readRequest = (): ReadonlyArray<{ readonly lease: QueueLease; readonly limit: number }> => {
    const request: Array<{ readonly lease: QueueLease; readonly limit: number }> = []
    for (const endpoint of toRead) {
      const missing = missingFor(endpoint)
      const own = readable(endpoint).slice(0, missing)
      for (const { lease, ready, underWay: busy, settled: known } of own) {
        known.clear()
        request.push({ lease, limit: Math.ceil(missing / own.length) + ready.length + busy.size })
      }
    }
    toRead.clear()
    turns.read.closeUnsafe()
    return request
  }

  /** Forgets the lease of a queue that somebody else has; what is under way there is still awaited. */
  const lose = (lease: QueueLease): void => {
    const queue = queues.get(queueKey(lease))
    if (queue === undefined || queue.lease.token !== lease.token) return
    queue.ready = []
    queue.hasMore = false
    queue.hasBlocked = false
    queue.isLeaving = true
    if (queue.underWay.size === 0) forget(queue)
  }

  /** Ends leases with the last settlement of each queue that holds no more. */
  const closing = (batch: ReadonlyArray<Settlement>): ReadonlyArray<Settlement> => {
    const last = new Map<string, number>()
    const counts = new Map<string, number>()
    for (const [at, { lease }] of batch.entries()) {
      last.set(queueKey(lease), at)
      counts.set(queueKey(lease), (counts.get(queueKey(lease)) ?? 0) + 1)
    }
    return batch.map((settlement, at) => {
      const key = queueKey(settlement.lease)
      const queue = queues.get(key)
      const isLast = last.get(key) === at && counts.get(key) === queue?.underWay.size
      if (queue === undefined || !isLast || !isDrained(queue) || queue.isLeaving) return settlement
      if (queueEndpoint(queue).breaker.restsUntil !== 0 || queue.lease.token !== settlement.lease.token)
        return settlement
      queue.isLeaving = true
      return { ...settlement, endsLease: true }
    })
  }

  /** Whether something was committed since a queue began to leave: its claim found it leased. */
  const left = (queue: EndpointQueue): void => {
    forget(queue)
    if (queue.wokenAt >= queue.readAt) wanted.openUnsafe()
  }

  const settled = (batch: ReadonlyArray<Settlement>): void => {
    for (const { lease, eventId } of batch) {
      const queue = queues.get(queueKey(lease))
      if (queue === undefined) continue
      for (const [line, event] of queue.underWay) if (event === eventId) queue.underWay.delete(line)
      queue.settled.add(eventId)
      if (queue.isLeaving) {
        if (queue.underWay.size === 0) left(queue)
        continue
      }
      queue.hasMore ||= queue.hasBlocked
      queue.hasBlocked = false
      releaseIfIdle(queue)
      mark(queueEndpoint(queue))
    }
  }

  return {
    turns,
    wanted,
    somePaused,
    someLeased,
    empty,
    monotonicMs,
    inFlight: () => underWay,
    isStopping: () => isStopping,
    endpoints: (): Iterable<EndpointState> => endpoints.values(),
    claimRequest,
    readRequest,
    takeIn,
    lose,
    closing,
    settled,
    advanceMarked: (): void => {
      turns.advance.closeUnsafe()
      for (const endpoint of marked) {
        marked.delete(endpoint)
        advance(endpoint)
      }
    },
    takeReleases: (): ReadonlyArray<Release> => {
      const taken = releases
      releases = []
      turns.release.closeUnsafe()
      return taken
    },
    released: (leases: ReadonlyArray<QueueLease>): void => {
      for (const lease of leases) {
        const queue = queues.get(queueKey(lease))
        if (queue?.lease.token === lease.token) left(queue)
      }
    },
    /**
     * These deliveries were committed, or others that nobody names: the leased queues where they may lie hold more. True if
     * some may lie in a queue that is not leased here.
     */
    wake: (written: ReadonlyArray<NewDelivery> | undefined): boolean => {
      const held =
        written === undefined
          ? [...queues.values()]
          : written.map(({ event, endpointId }) => queues.get(queueKey({ issuer: event.issuer, endpointId })))
      const now = monotonicMs()
      for (const queue of held) {
        if (queue === undefined) continue
        queue.wokenAt = now
        queue.hasMore = true
      }
      for (const endpoint of new Set(held.map((queue) => queue && queueEndpoint(queue)))) {
        if (endpoint !== undefined) askForMore(endpoint)
      }
      return written === undefined || held.includes(undefined)
    },
    /** What grew old is read anew where its endpoint has room, for other processes commit too, or let go of. */
    sweep: (): void => {
      const now = monotonicMs()
      for (const queue of queues.values()) {
        if (!isStale(queue, now) || queue.isLeaving) continue
        queue.ready = []
        queue.hasMore = true
        releaseIfIdle(queue)
        mark(queueEndpoint(queue))
      }
    },
    /** For how many milliseconds nothing can become due that is known here: infinity when nothing is. */
    quietMs: (): number => {
      let quiet = nextRetryAt - clock.currentTimeMillisUnsafe()
      const now = monotonicMs()
      for (const { breaker } of endpoints.values()) {
        if (breaker.restsUntil > now) quiet = Math.min(quiet, breaker.restsUntil - now)
      }
      return quiet
    },
    /** Endpoints that should be looked up again. */
    toLookUp: (): ReadonlyArray<EndpointState> => {
      const paused = [...endpoints.values()].filter((endpoint) => endpoint.paused !== undefined)
      if (paused.length === 0) somePaused.closeUnsafe()
      return paused.filter((endpoint) => (endpoint.paused?.until ?? 0) <= monotonicMs())
    },
    /** What a look-up of a paused endpoint showed. */
    lookedUp: (endpoint: EndpointState, isTaking: boolean): void => {
      if (!isTaking) return pauseEndpoint(endpoint)
      delete endpoint.paused
      wanted.openUnsafe()
    },
    /** Queues leased at least so long ago. */
    leasedBefore: (ageMs: number): ReadonlyArray<EndpointQueue> =>
      [...queues.values()].filter(({ leasedAt }) => leasedAt <= monotonicMs() - ageMs),
    /** Begins nothing any more, and lets go of what is not under way. */
    stop: (): void => {
      isStopping = true
      if (queues.size === 0) empty.openUnsafe()
      for (const queue of queues.values()) {
        queue.ready = []
        queue.hasMore = false
        queue.hasBlocked = false
        releaseIfIdle(queue)
      }
      wanted.openUnsafe()
    },
  }
}

export type Queues = ReturnType<typeof makeQueues>
