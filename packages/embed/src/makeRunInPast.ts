import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import type { MovableClock } from "./MovableClock.ts"

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
