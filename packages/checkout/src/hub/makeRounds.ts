import { logFailure, monotonicMs } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { JoinQueue } from "./JoinQueue.ts"
import type { Finder } from "./Finder.ts"
import { nextDelayMs } from "./nextDelayMs.ts"
import type { AnyFound, WatchedCharges } from "./WatchedCharges.ts"

/** Somebody moved business time, in the sandbox, if it went further than the monotonic clock by more than this, or back. */
const movedMs = 1_500

const outageMessage = "Open pages of payers could not be kept up to date, and show what they showed"

/** The rounds in which open pages are kept up to date: each looks up all watched charges, by one call. */
export const makeRounds = <F extends AnyFound>(finder: Finder<F>, watched: WatchedCharges<F>, queue: JoinQueue<F>) => {
  let isDown = false
  let last: { readonly now: number; readonly nowMs: number } | undefined

  const wasTimeMoved = (now: number, nowMs: number): boolean => {
    if (last === undefined) return false
    const passedMs = now - last.now
    return passedMs > nowMs - last.nowMs + movedMs || passedMs < -movedMs
  }

  const round = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const nowMs = yield* monotonicMs
    const isMoved = wasTimeMoved(now, nowMs)
    watched.sweep(now, nowMs, (charge) => queue.has(charge))
    // A page that opens after a time without pages begins with the present time.
    last = watched.size === 0 ? undefined : { now, nowMs }
    const found = watched.listFound()
    // A charge can be forgotten while its stream opens, if too many are watched.
    for (const charge of watched.listUnfound()) queue.join(charge)
    // The store comes first: a page must not show as expired what was paid meanwhile.
    if (found.length > 0) watched.update(yield* finder.changed(found, now), now)
    watched.update(yield* finder.aged(found, now), now)
    if (isMoved) watched.sendAll(now)
  })

  /** Runs a round, and returns how long to wait for the next. An outage is logged once; pages keep what they show in it. */
  return Effect.gen(function* () {
    const beganMs = yield* monotonicMs
    const exit = yield* Effect.exit(round)
    if (Exit.isFailure(exit) && !isDown) yield* logFailure("Warn", outageMessage, exit.cause)
    isDown = Exit.isFailure(exit)
    return nextDelayMs((yield* monotonicMs) - beganMs, isDown)
  })
}
