import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryFate, Settlement } from "../../ports/Outbox.ts"
import type { Verdict } from "./attempt.ts"
import { afterOutcome } from "./CircuitBreaker.ts"
import {
  canTake,
  hasEnough,
  type Held,
  holdsAny,
  isForgettable,
  isOpen,
  type Lane,
  learnLatency,
  type Load,
  makeLane,
  mayBegin,
  park,
  roomOn,
} from "./Lane.ts"

/** In all lanes together, from claim to settlement. */
const mostHeld = 4_096
/** Attempts under way at once to one endpoint, in one process (operations §5.2). */
const mostAtOnce = 4
/** How long after its claim a delivery may be begun. */
const freshMs = 1_000

export interface LanesPorts {
  readonly leaseMs: number
  readonly clock: Clock.Clock
  readonly attempt: (claim: ClaimedDelivery) => Effect.Effect<Verdict>
  readonly settle: (settlement: Settlement) => void
  /** Runs an attempt on a fiber of its own. */
  readonly start: (attempt: Effect.Effect<Verdict>, conclude: (verdict: Verdict) => void) => void
}

/** All that this process has in hand: every claimed delivery sits in its endpoint's lane until it is settled. */
export const makeLanes = ({ leaseMs, clock, attempt, settle, start }: LanesPorts) => {
  const lanes = new Map<string, Lane>()
  let held = 0
  let underWay = 0
  let isStarved = false
  let isStopping = false
  let nextRetryAt = Number.POSITIVE_INFINITY
  /** Open when more should be claimed. */
  const hungry = Latch.makeUnsafe()
  const marked = new Set<Lane>()
  /** Open when lanes are marked. */
  const turn = Latch.makeUnsafe()
  /** Open while endpoints that take nothing are to be looked up again. */
  const someParked = Latch.makeUnsafe()
  /** Open when all is settled after `stop`. */
  const empty = Latch.makeUnsafe()

  const now = () => clock.currentTimeMillisUnsafe()
  const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  /** Once it is crowded each lane gets its part, so that endpoints that hang, however many, can't crowd out the rest. */
  const load = (): Load => ({
    monotonicMs: monotonicMs(),
    atOnce: underWay > mostHeld / 2 ? 1 : mostAtOnce,
    share: held > mostHeld / 2 ? Math.max(2, Math.floor(mostHeld / 4 / lanes.size)) : mostHeld,
  })

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

  const isStale = (row: Held | undefined): boolean => row !== undefined && monotonicMs() > row.freshUntil

  /** Begins what may begin on a lane. */
  const pump = (lane: Lane): void => {
    while (!isStopping && mayBegin(lane, load())) {
      const next = lane.queue[0]
      if (next === undefined) break
      if (isStale(next)) {
        handBackQueue(lane)
        break
      }
      lane.queue.shift()
      lane.active.set(next, monotonicMs())
      underWay++
      start(attempt(next.claim), (verdict) => conclude(lane, next, verdict))
    }
    if (lane.wantsMore && !hasEnough(lane, load())) {
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

  const parkLane = (lane: Lane): void => {
    park(lane, monotonicMs())
    someParked.openUnsafe()
  }

  const conclude = (lane: Lane, row: Held, verdict: Verdict): void => {
    lane.active.delete(row)
    lane.endedAt = monotonicMs()
    underWay--
    if (verdict._tag === "Attempted") {
      lane.breaker = afterOutcome(lane.breaker, verdict.outcome, monotonicMs())
      learnLatency(lane, verdict.attempt.latencyMs)
      if (verdict.outcome._tag === "Gone") parkLane(lane)
      end(row, verdict.fate, verdict.attempt)
    } else {
      parkLane(lane)
      handBack(row)
    }
    if (!isOpen(lane, monotonicMs())) handBackQueue(lane)
    mark(lane)
  }

  /** Takes a claimed delivery into its lane, or hands it back where there is no place for it. */
  const accept = (claim: ClaimedDelivery, claimedAt: number): void => {
    held++
    empty.closeUnsafe()
    // A store may be slow; half of a lease is more than an attempt takes.
    const row: Held = { claim, claimedAt, freshUntil: Math.min(monotonicMs() + freshMs, claimedAt + leaseMs / 2) }
    const lane = lanes.get(claim.endpointId) ?? makeLane(claim.endpointId)
    lanes.set(claim.endpointId, lane)
    if (isStopping || !isOpen(lane, monotonicMs()) || !canTake(lane, load())) {
      return handBack(row)
    }
    lane.queue.push(row)
    mark(lane)
  }

  /** How many more can be taken, and the endpoints of which none should be; forgets lanes that hold nothing. */
  const appetite = (): { readonly most: number; readonly except: ReadonlyArray<string> } => {
    const room = mostHeld - held
    isStarved = room <= 0
    if (now() >= nextRetryAt) nextRetryAt = Number.POSITIVE_INFINITY
    const except: Array<string> = []
    const at = load()
    let hungryLanes = 0
    let smallestRoom = room
    for (const lane of lanes.values()) {
      if (isStale(lane.queue[0])) handBackQueue(lane)
      const open = isOpen(lane, at.monotonicMs)
      lane.wantsMore = open && hasEnough(lane, at)
      if (!open || lane.wantsMore) except.push(lane.endpointId)
      else if (isForgettable(lane, at.monotonicMs)) lanes.delete(lane.endpointId)
      else if (holdsAny(lane)) {
        hungryLanes++
        smallestRoom = Math.min(smallestRoom, roomOn(lane, at))
      }
    }
    // A claim brings what is oldest, for one lane as much as for another.
    return { most: Math.min(room, smallestRoom * Math.max(hungryLanes, 1)), except }
  }

  /** For how many milliseconds nothing can become due that these lanes know of: infinity when they know of nothing. */
  const quietMs = (): number => {
    let quiet = nextRetryAt - now()
    for (const { breaker } of lanes.values()) {
      const restMs = breaker.restsUntil - monotonicMs()
      if (restMs > 0) quiet = Math.min(quiet, restMs)
    }
    return quiet
  }

  /** Lanes whose endpoints should be looked up again. */
  const toLookUp = (): ReadonlyArray<Lane> => {
    const parked = [...lanes.values()].filter((lane) => lane.parked !== undefined)
    if (parked.length === 0) someParked.closeUnsafe()
    return parked.filter((lane) => (lane.parked?.until ?? 0) <= monotonicMs())
  }

  /** What a look-up of a parked lane's endpoint showed. */
  const lookedUp = (lane: Lane, isTaking: boolean): void => {
    if (!isTaking) return parkLane(lane)
    delete lane.parked
    hungry.openUnsafe()
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
    hungry.openUnsafe()
  }

  return {
    all: (): Iterable<Lane> => lanes.values(),
    hungry,
    turn,
    pumpMarked,
    empty,
    monotonicMs,
    held: () => held,
    isStopping: () => isStopping,
    accept,
    appetite,
    quietMs,
    someParked,
    toLookUp,
    lookedUp,
    activeSince,
    letGo,
    stop,
  }
}

export type Lanes = ReturnType<typeof makeLanes>
