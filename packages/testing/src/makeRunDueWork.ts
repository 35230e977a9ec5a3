import type { Pix } from "@pixcharge/embed"

/** Longer than any test: who waits for more has a time-out of his own. */
const deadlineMs = 600_000

/**
 * Does what is due until nothing is. One call after the other: a second one would find what the first is delivering taken, and
 * end before it. Rejects with what `onEvent` failed with meanwhile, `failures`, and empties that.
 */
export const makeRunDueWork = ({ tick }: Pick<Pix, "tick">, failures: Array<unknown>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve()

  const settle = async (): Promise<void> => {
    while ((await tick({ deadlineMs })).more);
    const [first, ...others] = failures.splice(0)
    if (others.length > 0) throw new AggregateError([first, ...others], "onEvent failed for several events")
    if (first !== undefined) throw first
  }

  return () => {
    const settling = last.then(settle)
    last = settling.catch(() => undefined)
    return settling
  }
}
