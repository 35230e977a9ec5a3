import type { StateBody } from "../wire/StateBody.ts"

/** Receives what happens to a charge. */
export interface StateReader {
  /** The state as it is now: the first one, and each that differs. */
  readonly read: (body: StateBody) => void
  /** The link doesn't hold, or no more: nothing follows. */
  readonly end: () => void
  /** Whether the server can be reached, when that changes. */
  readonly reach: (isReached: boolean) => void
}

/** After this many polls the stream is tried again: what kept it away may be gone. */
const pollsBeforeStream = 6

/** Waits for a time, or until `signal` aborts. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener("abort", wake)
  })

/**
 * Watches a charge until the function that it returns is called.
 *
 * While the document is visible it reads the stream of `/estado`, until a final state. It looks again when somebody comes back to
 * the document, because what was paid may have been refunded. It polls where the server grants no stream, or where
 * something on the way holds it back.
 */
export const watchState = (url: string, reader: StateReader): (() => void) => {
  let watching = new AbortController()
  let failures = 0

  const stop = (): void => {
    watching.abort()
    document.removeEventListener("visibilitychange", follow)
  }

  const read = (body: StateBody): void => {
    failures = 0
    reader.reach(true)
    if (body.final) watching.abort()
    reader.read(body)
  }

  /** Asks once, and returns how long to wait before the next time. */
  const poll = async (signal: AbortSignal): Promise<number> => {
    try {
      const { isGone, body, delayMs } = await fetchState(url, signal)
      if (body) read(body)
      else if (!isGone) reader.reach(false)
      if (isGone) {
        stop()
        reader.end()
      }
      return delayMs
    } catch {
      if (signal.aborted) return 0
      reader.reach(false)
      // The back-off of core, which a page can't load.
      return Math.min(1000 * 2 ** ++failures, maxPollDelayMs)
    }
  }

  const watch = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      if (typeof EventSource !== "undefined" && (await readStream(url, signal, read, reader.reach))) continue
      for (let polls = 0; polls < pollsBeforeStream && !signal.aborted; polls++) await sleep(await poll(signal), signal)
    }
  }

  // Browsers grant a host six connections over HTTP/1.1, for all of its pages together: hidden pages have none.
  const follow = (): void => {
    watching.abort()
    if (document.hidden) return
    watching = new AbortController()
    void watch(watching.signal)
  }

  document.addEventListener("visibilitychange", follow)
  follow()
  return stop
}

/** The delay between two polls where the server names none. */
const pollDelayMs = 5000
const maxPollDelayMs = 60_000

const readDelayMs = (response: Response): number => {
  const seconds = Number(response.headers.get("retry-after"))
  return seconds > 0 ? Math.min(seconds * 1000, maxPollDelayMs) : pollDelayMs
}

/** Asks `/estado` for a charge's state, once; `isGone` if the link doesn't hold. Rejects if the server can't be reached. */
const fetchState = async (url: string, signal: AbortSignal) => {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  })
  return {
    isGone: response.status === 404 || response.status === 410,
    body: response.ok ? ((await response.json()) as StateBody) : undefined,
    delayMs: readDelayMs(response),
  }
}

/** A proxy on its way holds back a stream that has sent nothing for this time. */
const firstEventMs = 10_000
/** A stream that misses three heartbeats is dead: routers forget connections and tell neither end. */
const nextEventMs = 45_000

/**
 * Reads the stream of `/estado` until `signal` aborts.
 *
 * Resolves with true once it is dead and another may be opened, with false where it was refused or nothing came.
 */
const readStream = (
  url: string,
  signal: AbortSignal,
  read: (body: StateBody) => void,
  reach: (isReached: boolean) => void,
): Promise<boolean> =>
  new Promise((resolve) => {
    const source = new EventSource(url)
    let timer: ReturnType<typeof setTimeout> | undefined

    const end = (mayReopen: boolean): void => {
      source.close()
      clearTimeout(timer)
      resolve(mayReopen)
    }
    const awaitEvent = (ms: number, mayReopen: boolean): void => {
      clearTimeout(timer)
      timer = setTimeout(() => end(mayReopen), ms)
    }

    awaitEvent(firstEventMs, false)
    signal.addEventListener("abort", () => end(true))
    source.addEventListener("open", () => reach(true))
    source.addEventListener("heartbeat", () => awaitEvent(nextEventMs, true))
    source.addEventListener("estado", ({ data }: MessageEvent<string>) => {
      awaitEvent(nextEventMs, true)
      read(JSON.parse(data) as StateBody)
    })
    // The browser connects again by itself, unless the server refused.
    source.addEventListener("error", () => (source.readyState === EventSource.CLOSED ? end(false) : reach(false)))
  })
