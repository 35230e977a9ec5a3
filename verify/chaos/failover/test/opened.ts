import { afterEach } from "vitest"

const closings: Array<() => unknown> = []

/** Has what a test has opened closed after it, in the opposite order. */
export const keep = <A>(thing: A, close: (thing: A) => unknown): A => {
  closings.push(() => close(thing))
  return thing
}

/** To be called by each file that keeps something open. */
export const closeAfterEach = (): void =>
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close()
  }, 120_000)
