/** Resolves after `ms` milliseconds; rejects with the signal's reason once that is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })

/** The promise's outcome, or the signal's reason if that comes first. */
export const rejectOnAbort = async <A>(promise: Promise<A>, signal?: AbortSignal): Promise<A> => {
  if (signal === undefined) return promise
  const stopped = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { signal: stopped.signal })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    stopped.abort()
  }
}

// Core's schedules of back-off are not for the client: it depends on nothing, and many clients must not come back at once.

/** Between attempts of one call: 250 ms, doubled each time, up to 8 s; the half of it is left to chance. */
export const retryDelayMs = (attempt: number, random: number): number =>
  Math.min(8_000, 250 * 2 ** attempt) * (0.5 + random / 2)

/** Between the queries of a wait: an eighth of the time that was waited, from 1 to 30 s, a tenth of it left to chance. */
export const pollDelayMs = (elapsedMs: number, random: number): number =>
  Math.min(30_000, Math.max(1_000, elapsedMs / 8)) * (0.95 + random / 10)
