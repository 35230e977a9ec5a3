import { digest } from "./liveLine.ts"

/** As long as a form's token is valid. */
const keptMs = 12 * 3_600_000

/** The maximum number of kept answers of all operators. */
const maxKept = 5_000

interface Kept<A> {
  readonly content: string
  readonly answer: Promise<A>
  readonly until: number
}

/**
 * Calls `run` once for each name. Further calls get the same answer, even while `run` is pending; with other content,
 * `undefined`. Only final answers are kept. Across processes, the form's key makes an action safe to repeat.
 */
export const makeOnce = <A>(now: () => number, isFinal: (answer: A) => boolean) => {
  const kept = new Map<string, Kept<A>>()

  const forget = (): void => {
    for (const [name, { until }] of kept) {
      if (until > now() && kept.size < maxKept) return
      kept.delete(name)
    }
  }

  return async (name: string, content: string, run: () => Promise<A>): Promise<A | undefined> => {
    const sent = await digest(content)
    const known = kept.get(name)
    if (known !== undefined && known.until > now()) return known.content === sent ? known.answer : undefined
    kept.delete(name)
    forget()
    const answer = run()
    kept.set(name, { content: sent, answer, until: now() + keptMs })
    answer.then(
      (given) => isFinal(given) || kept.delete(name),
      () => kept.delete(name),
    )
    return answer
  }
}
