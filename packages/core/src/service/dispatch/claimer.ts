import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Outbox } from "../../ports/Outbox.ts"
import type { OutboxSignal } from "../OutboxSignal.ts"
import type { Lanes } from "./lanes.ts"
import { logAndContinue } from "../logAndContinue.ts"

const smallestClaim = 16
const largestClaim = 512
/** Between claims of a backlog: lanes that want more have some left, and a claim for many costs little more than for few. */
const gatherMs = 25
const firstIdleMs = 1_000
const longestIdleMs = 5_000

export interface ClaimerPorts {
  readonly outbox: Outbox["Service"]
  readonly signal: OutboxSignal["Service"]
  readonly lanes: Lanes
  readonly clock: Clock.Clock
  readonly leaseMs: number
  /** Ends while nothing speaks against claiming. */
  readonly well: Effect.Effect<unknown>
}

/**
 * Claims what lanes can take until they are stopped: at once after a commit in this process, in large bites from a backlog,
 * ever more seldom while nothing happens.
 */
export const makeClaimer = ({ outbox, signal, lanes, clock, leaseMs, well }: ClaimerPorts): Effect.Effect<void> => {
  /** True when there may be more. */
  const claim = Effect.gen(function* () {
    const { most, except } = lanes.appetite()
    if (most <= 0) return false
    const limit = Math.min(Math.max(most, smallestClaim), largestClaim)
    const claimedAt = lanes.monotonicMs()
    const now = clock.currentTimeMillisUnsafe()
    const claims = yield* outbox.claim({ now, limit, leaseMs, ...(except.length > 0 && { except }) })
    for (const row of claims) lanes.accept(row, claimedAt)
    return claims.length === limit
  })

  const wanted = Effect.raceFirst(signal.rung, Effect.andThen(lanes.hungry.await, Effect.sleep(gatherMs)))

  return Effect.gen(function* () {
    let idleMs = firstIdleMs
    while (!lanes.isStopping()) {
      yield* well
      const heldBefore = lanes.held()
      const more = yield* logAndContinue("The outbox could not be read")(claim)
      if (more !== false) {
        yield* Effect.sleep(more ? gatherMs : firstIdleMs)
        continue
      }
      // What is committed while a claim is under way rings once: a stream of commits is taken in batches by itself.
      idleMs = lanes.held() > heldBefore ? firstIdleMs : Math.min(idleMs * 2, longestIdleMs)
      const restMs = Math.min(idleMs, lanes.quietMs())
      if (restMs <= 0) continue
      yield* Effect.timeoutOption(wanted, restMs)
      lanes.hungry.closeUnsafe()
    }
  })
}
