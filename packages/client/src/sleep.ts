/** Waits for a time. Rejects with the signal's reason when the signal aborts. */
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

/** The promise's outcome, or a rejection with the signal's reason if the signal aborts first. */
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
