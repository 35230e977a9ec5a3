import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import { monotonicMs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type { MovableClock } from "./MovableClock.ts"
import { checkFields } from "./api/checkFields.ts"
import type { Services } from "./services.ts"

/** How long a piece of the background work may take. */
export interface TickRequest {
  /** Milliseconds from now, above 0: nothing is begun after them. */
  readonly deadlineMs: number
}

/** What came of it. */
export interface TickResult {
  /** The deadline came before the end of what is due. */
  readonly more: boolean
}

/** Delivers the events that are due, and makes the checks and comparisons that are, with the events that follow from them. */
export const tick = Effect.fnUntraced(function* ({ dispatcher, reconciler }: Services, request: TickRequest) {
  yield* checkFields("tick({ deadlineMs })", request, { deadlineMs: true })
  const { deadlineMs } = Object(request) as TickRequest
  if (!(Number.isFinite(deadlineMs) && deadlineMs > 0)) {
    return yield* new InvalidOption({ message: "tick({ deadlineMs }) needs a number of milliseconds above 0." })
  }
  const endsAt = (yield* monotonicMs) + deadlineMs
  const leftMs = Effect.map(monotonicMs, (now) => Math.max(endsAt - now, 0))

  const reconcileAll = Effect.gen(function* () {
    for (let moved = 0; ;) {
      const round = yield* reconciler.roundWithin(yield* leftMs)
      moved += round.moved
      if (!round.more || (yield* leftMs) === 0) return { moved, more: round.more }
    }
  })
  const [dispatched, reconciled] = yield* Effect.all([dispatcher.roundWithin(deadlineMs), reconcileAll], {
    concurrency: "unbounded",
  })
  if (reconciled.moved === 0) return { more: reconciled.more || dispatched.more }
  const followed = yield* dispatcher.roundWithin(yield* leftMs)
  return { more: reconciled.more || followed.more }
})

/**
 * Moves the clock on to a later moment of the past, in epoch milliseconds, and looks for payments whose notice was lost.
 * `false` leaves those to a later look, for stories of many moves: each look takes its time.
 */
export type MoveTo = (at: number, looksForPayments?: boolean) => Promise<void>

const flaw = (text: string) => new InvalidOption({ message: `clock.runInPast(to, work): ${text}.` })

/** Runs work at an earlier moment of a sandbox. `wake` does what came due when the clock was moved. */
export const makeRunInPast = (clock: MovableClock, wake: (looksForPayments: boolean) => Promise<void>) => {
  let isRunning = false

  const freeze = (at: number, notBefore: number): void => {
    if (!(Number.isInteger(at) && isStorableMoment(at))) throw flaw("a moment is whole epoch milliseconds")
    if (at > clock.presentUnsafe()) throw flaw("a moment must not be later than the present")
    if (at < notBefore) throw flaw("time never goes back in it")
    clock.freezeUnsafe(at)
  }

  return async <A>(to: number, work: (moveTo: MoveTo) => Promise<A>): Promise<A> => {
    if (isRunning) throw flaw("another one is under way")
    if (typeof work !== "function") throw flaw("work must be a function")
    freeze(to, to)
    isRunning = true
    try {
      return await work(async (at, looksForPayments = true) => {
        freeze(at, clock.currentTimeMillisUnsafe())
        await wake(looksForPayments)
      })
    } finally {
      clock.freezeUnsafe(undefined)
      isRunning = false
      await wake(true)
    }
  }
}
