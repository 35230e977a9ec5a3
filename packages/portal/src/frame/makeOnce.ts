/** How long a form may be sent at all: its token says so. */
const keptMs = 12 * 3_600_000

/** Of all operators together; the oldest are forgotten first. */
const maxKept = 5_000

interface Kept<A> {
  readonly content: string
  readonly answer: Promise<A>
  readonly until: number
}

/** Without its keys a digest says nothing of what was written, and is as short for long notes. */
const digest = async (text: string): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")

/**
 * Calls `run` once for each name: repeats, and those that come while it runs, get the same answer, and `undefined` if their
 * content is another. Nothing is kept of a call that rejects. Kept in this process alone: what must not be done twice by several is named by the same key there, too.
 */
export const makeOnce = <A>(now: () => number) => {
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
    answer.catch(() => kept.delete(name))
    return answer
  }
}
