import type { StateBody } from "../wire/StateBody.ts"

export interface StateReader {
  /** Called with the first state and each changed state. */
  readonly read: (body: StateBody) => void
  /** Called if the link is invalid or expired. No further call follows. */
  readonly end: () => void
  readonly reach: (isReached: boolean) => void
}

const pollsBeforeStream = 6

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
 * Watches a charge until the returned function is called.
 *
 * While the document is visible, it reads the stream of `/estado` until a final state. It polls if the server refuses the
 * stream or a proxy holds it back.
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
      return Math.min(1000 * 2 ** ++failures, maxPollDelayMs)
    }
  }

  const watch = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      if (typeof EventSource !== "undefined" && (await readStream(url, signal, read, reader.reach))) continue
      for (let polls = 0; polls < pollsBeforeStream && !signal.aborted; polls++) await sleep(await poll(signal), signal)
    }
  }

  // Over HTTP/1.1, browsers open only six connections to a host, so a hidden page must close its connection.
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

const pollDelayMs = 5000
const maxPollDelayMs = 60_000

const readDelayMs = (response: Response): number => {
  const seconds = Number(response.headers.get("retry-after"))
  return seconds > 0 ? Math.min(seconds * 1000, maxPollDelayMs) : pollDelayMs
}

/** `isGone`: the link is invalid or expired. */
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

/** If no first event comes within this time, a proxy holds the stream back. */
const firstEventMs = 10_000
/** The time of three heartbeats. */
const nextEventMs = 45_000

/** Resolves with true if the stream ended and can be reopened, with false if it was refused or empty. */
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
    // The browser reconnects by itself unless the server refused.
    source.addEventListener("error", () => (source.readyState === EventSource.CLOSED ? end(false) : reach(false)))
  })
