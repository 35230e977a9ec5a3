import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure, monotonicMs } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Finder } from "./Finder.ts"
import type { JoinQueue } from "./JoinQueue.ts"
import type { LookUps } from "./LookUps.ts"
import { nextDelayMs } from "./nextDelayMs.ts"
import { type AnyFound, type FoundCharge, isFound, type WatchedCharges } from "./WatchedCharges.ts"

/** Somebody moved business time, in the sandbox, if it went further than the monotonic clock by more than this, or back. */
const movedMs = 1_500

const outageMessage = "Open pages of payers could not be kept up to date, and show what they showed"

type Exits = ReadonlyArray<Exit.Exit<void, StoreUnavailable>>

/** What rounds work with. */
export interface RoundParts<F extends AnyFound> {
  readonly finder: Finder<F>
  readonly watched: WatchedCharges<F>
  readonly lookUps: LookUps<F>
  readonly queue: JoinQueue<F>
}

/** The rounds in which open pages are kept up to date. */
export const makeRounds = <F extends AnyFound>({ finder, watched, lookUps, queue }: RoundParts<F>) => {
  let hasFailed = false
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
    const upToDate: Array<FoundCharge<F>> = []
    const exits: Array<Exits[number]> = []
    yield* lookUps.lookUp(found, now, (charges, exit) => {
      exits.push(exit)
      if (Exit.isSuccess(exit)) upToDate.push(...charges.filter((charge) => isFound(charge)))
    })
    // The store comes first: a page must not show as expired what was paid meanwhile.
    watched.update(yield* finder.aged(upToDate, now), now)
    if (isMoved) watched.sendAll(now)
    return exits
  })

  /** Runs a round, and returns how long to wait for the next. An outage is logged once; pages keep what they show in it. */
  return Effect.gen(function* () {
    const beganMs = yield* monotonicMs
    const exits = yield* Effect.catchCause(round, (cause) => Effect.succeed<Exits>([Exit.failCause(cause)]))
    const [cause] = exits.flatMap((exit) => (Exit.isFailure(exit) ? [exit.cause] : []))
    if (cause !== undefined && !hasFailed) yield* logFailure("Warn", outageMessage, cause)
    hasFailed = cause !== undefined
    return nextDelayMs((yield* monotonicMs) - beganMs, hasFailed && exits.every(Exit.isFailure))
  })
}
