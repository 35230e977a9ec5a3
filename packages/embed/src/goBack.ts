import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import type { MovableClock } from "./MovableClock.ts"

/** Goes on to a later moment of the past: epoch milliseconds. */
export type MoveTo = (at: number) => Promise<void>

const flaw = (text: string) => new InvalidOption({ message: `clock.goBack(to, work): ${text}.` })

/**
 * How a sandbox goes back in time. `wake` does what came due at the moment to which the clock was moved.
 */
export const makeGoBack = (clock: MovableClock, wake: () => Promise<void>) => {
  let isAway = false

  const standAt = (at: number, notBefore: number): void => {
    if (!(Number.isInteger(at) && isStorableMoment(at))) throw flaw("a moment is whole epoch milliseconds")
    if (at > clock.presentUnsafe()) throw flaw("a moment must not be later than the present")
    if (at < notBefore) throw flaw("time goes forward there, too")
    clock.standAtUnsafe(at)
  }

  return async <A>(to: number, work: (moveTo: MoveTo) => Promise<A>): Promise<A> => {
    if (isAway) throw flaw("another one is under way")
    standAt(to, to)
    isAway = true
    try {
      return await work(async (at) => {
        standAt(at, clock.currentTimeMillisUnsafe())
        await wake()
      })
    } finally {
      clock.standAtUnsafe(undefined)
      isAway = false
      await wake()
    }
  }
}
