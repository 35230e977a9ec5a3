import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryFate, Settlement } from "../../ports/Outbox.ts"
import type { Verdict } from "./attempt.ts"
import { afterOutcome } from "./CircuitBreaker.ts"
import {
  hasEnough,
  hasRoom,
  type Held,
  isForgettable,
  isOpen,
  type Lane,
  learnLatency,
  makeLane,
  roomOn,
} from "./Lane.ts"

/** In all lanes together, from claim to settlement. */
const mostHeld = 4_096
/** What was claimed longer ago is not sent: it may be superseded or somebody else's by now. It is claimed anew. */
const freshMs = 1_000
/** Until an endpoint that took nothing is looked up again. */
export const parkMs = 1_000

export interface LanesPorts {
  readonly clock: Clock.Clock
  readonly attempt: (claim: ClaimedDelivery) => Effect.Effect<Verdict>
  readonly settle: (settlement: Settlement) => void
  /** Runs an attempt on a fiber of its own. */
  readonly start: (attempt: Effect.Effect<Verdict>, conclude: (verdict: Verdict) => void) => void
}

/** All that this process has in hand: every claimed delivery sits in its endpoint's lane until it is settled. */
export const makeLanes = ({ clock, attempt, settle, start }: LanesPorts) => {
  const lanes = new Map<string, Lane>()
  let held = 0
  let isStarved = false
  let isStopping = false
  let nextRetryAt = Number.POSITIVE_INFINITY
  /** Open when more should be claimed. */
  const hungry = Latch.makeUnsafe()
  const marked = new Set<Lane>()
  /** Open when lanes are marked. */
  const turn = Latch.makeUnsafe()
  /** Open when all is settled after `stop`. */
  const empty = Latch.makeUnsafe()

  const now = () => clock.currentTimeMillisUnsafe()
  const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  /** What was settled is out of our hands. What was handed back can be claimed anew only now. */
  const letGo = (settled: ReadonlyArray<Settlement>): void => {
    held -= settled.length
    const hasReturned = settled.some(({ fate }) => fate._tag === "Postponed")
    if (hasReturned || (isStarved && held <= mostHeld / 2)) hungry.openUnsafe()
    if (isStopping && held === 0) empty.openUnsafe()
  }

  const end = ({ claim }: Held, fate: DeliveryFate, attempted?: DeliveryAttempt): void => {
    if (fate._tag === "Retry") nextRetryAt = Math.min(nextRetryAt, fate.at)
    settle({
      issuer: claim.event.issuer,
      eventId: claim.event.id,
      endpointId: claim.endpointId,
      leaseToken: claim.leaseToken,
      fate,
      ...(attempted && { attempt: attempted }),
    })
  }

  const handBack = (row: Held): void => end(row, { _tag: "Postponed" })

  const handBackQueue = (lane: Lane): void => {
    for (const row of lane.queue) handBack(row)
    lane.queue = []
  }

  const isStale = (row: Held | undefined): boolean => row !== undefined && monotonicMs() - row.claimedAt > freshMs

  const mayBegin = (lane: Lane): boolean => !isStopping && hasRoom(lane, now())

  /** Begins what may begin on a lane. */
  const pump = (lane: Lane): void => {
    while (mayBegin(lane)) {
      const next = lane.queue[0]
      if (next === undefined) break
      if (isStale(next)) {
        handBackQueue(lane)
        break
      }
      lane.queue.shift()
      lane.active.set(next, monotonicMs())
      start(attempt(next.claim), (verdict) => conclude(lane, next, verdict))
    }
    if (lane.wantsMore && !hasEnough(lane, share(), monotonicMs())) {
      lane.wantsMore = false
      hungry.openUnsafe()
    }
  }

  /**
   * Lets a lane begin what it may at the next turn of the event loop: what many answers free goes out together, which
   * costs both sides half of what it costs one by one.
   */
  const mark = (lane: Lane): void => {
    marked.add(lane)
    turn.openUnsafe()
  }

  const pumpMarked = (): void => {
    for (const lane of marked) {
      marked.delete(lane)
      pump(lane)
    }
  }

  const conclude = (lane: Lane, row: Held, verdict: Verdict): void => {
    lane.active.delete(row)
    if (verdict._tag === "Attempted") {
      lane.breaker = afterOutcome(lane.breaker, verdict.outcome, now())
      learnLatency(lane, verdict.attempt.latencyMs)
      if (verdict.outcome._tag === "Gone") lane.parkedUntil = now() + parkMs
      end(row, verdict.fate, verdict.attempt)
    } else {
      lane.parkedUntil = now() + parkMs
      handBack(row)
    }
    if (!isOpen(lane, now())) handBackQueue(lane)
    mark(lane)
  }

  /** Once it is crowded no lane keeps more than its part waiting, so that slow ones can't crowd out the rest. */
  const share = () => (held > mostHeld / 2 ? Math.max(2, Math.floor(mostHeld / 4 / lanes.size)) : mostHeld)

  /** Takes a claimed delivery into its lane, or hands it back where there is no place for it; true if it was taken. */
  const accept = (claim: ClaimedDelivery, claimedAt: number): boolean => {
    held++
    const row: Held = { claim, claimedAt }
    const lane = lanes.get(claim.endpointId) ?? makeLane(claim.endpointId)
    lanes.set(claim.endpointId, lane)
    if (isStopping || !isOpen(lane, now()) || roomOn(lane, share(), monotonicMs()) === 0) {
      handBack(row)
      return false
    }
    lane.queue.push(row)
    mark(lane)
    return true
  }

  /** How many more can be taken, and the endpoints of which none should be; forgets lanes that hold nothing. */
  const appetite = (): { readonly most: number; readonly except: ReadonlyArray<string> } => {
    const room = mostHeld - held
    isStarved = room <= 0
    if (now() >= nextRetryAt) nextRetryAt = Number.POSITIVE_INFINITY
    const except: Array<string> = []
    let most = room
    for (const lane of lanes.values()) {
      if (isStale(lane.queue[0])) handBackQueue(lane)
      const open = isOpen(lane, now())
      lane.wantsMore = open && hasEnough(lane, share(), monotonicMs())
      if (!open || lane.wantsMore) except.push(lane.endpointId)
      else if (isForgettable(lane)) lanes.delete(lane.endpointId)
      // All that a claim brings may be for one lane: what waited while that was left alone stands at the queue's head.
      else most = Math.min(most, roomOn(lane, share(), monotonicMs()))
    }
    return { most, except }
  }

  /** Until when nothing can become due that these lanes know of: infinity when they know of nothing. */
  const quietUntil = (): number => {
    let until = nextRetryAt
    for (const { breaker, parkedUntil } of lanes.values()) {
      if (breaker.restsUntil > now()) until = Math.min(until, breaker.restsUntil)
      if (parkedUntil > 0) until = Math.min(until, parkedUntil)
    }
    return until
  }

  /** What is being sent under a lease of at least this age. */
  const activeSince = (ageMs: number): ReadonlyArray<ClaimedDelivery> => {
    const latest = monotonicMs() - ageMs
    const claims: Array<ClaimedDelivery> = []
    for (const { active } of lanes.values()) {
      for (const row of active.keys()) if (row.claimedAt <= latest) claims.push(row.claim)
    }
    return claims
  }

  /** Begins nothing any more, hands back what waits. */
  const stop = (): void => {
    isStopping = true
    for (const lane of lanes.values()) handBackQueue(lane)
  }

  return {
    all: (): Iterable<Lane> => lanes.values(),
    hungry,
    turn,
    pumpMarked,
    empty,
    monotonicMs,
    held: () => held,
    accept,
    appetite,
    quietUntil,
    activeSince,
    letGo,
    stop,
  }
}
