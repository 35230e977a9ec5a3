import type { Pix } from "@pixcharge/embed"

/** A deadline longer than the time limit of any test. */
const deadlineMs = 600_000

/** Does all due work. Calls run one after the other. */
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
