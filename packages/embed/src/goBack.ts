import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import type { MovableClock } from "./MovableClock.ts"

/**
 * Goes on to a later moment of the past, in epoch milliseconds, and looks for payments whose notice was lost. With `false` it
 * leaves those to a later move, the present or the background: for a story of many moves, as each look takes its time.
 */
export type MoveTo = (at: number, looksForPayments?: boolean) => Promise<void>

const flaw = (text: string) => new InvalidOption({ message: `clock.goBack(to, work): ${text}.` })

/** How a sandbox goes back in time. `wake` does what came due at the moment to which the clock was moved. */
export const makeGoBack = (clock: MovableClock, wake: (looksForPayments: boolean) => Promise<void>) => {
  let isAway = false

  const standAt = (at: number, notBefore: number): void => {
    if (!(Number.isInteger(at) && isStorableMoment(at))) throw flaw("a moment is whole epoch milliseconds")
    if (at > clock.presentUnsafe()) throw flaw("a moment must not be later than the present")
    if (at < notBefore) throw flaw("time goes forward there, too")
    clock.standAtUnsafe(at)
  }

  return async <A>(to: number, work: (moveTo: MoveTo) => Promise<A>): Promise<A> => {
    if (isAway) throw flaw("another one is under way")
    if (typeof work !== "function") throw flaw("work is a function")
    standAt(to, to)
    isAway = true
    try {
      return await work(async (at, looksForPayments = true) => {
        standAt(at, clock.currentTimeMillisUnsafe())
        await wake(looksForPayments)
      })
    } finally {
      clock.standAtUnsafe(undefined)
      isAway = false
      await wake(true)
    }
  }
}
