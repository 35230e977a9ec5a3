import type { StateBody } from "../wire/StateBody.ts"

/** What is told of a charge. */
export interface StateReader {
  /** The state as it is now: at first, and whenever it changes. */
  readonly read: (body: StateBody) => void
  /** The link is none, or none any more: nothing follows. */
  readonly end: () => void
  /** Whether the server can be reached, when that changes. */
  readonly reach: (isReached: boolean) => void
}

/** A stream that says nothing for so long is held back by something on its way. */
const silentMs = 10_000
/** One that has spoken, and misses three heartbeats, is dead: routers forget connections without a word to either end. */
const deadMs = 45_000
/** Between two questions, where the server doesn't say. */
const pauseMs = 5000
const longestPauseMs = 60_000
/** After so many questions the stream is tried again: what kept it away may be gone. */
const questionsBeforeStream = 6

const pauseOf = (response: Response): number => {
  const seconds = Number(response.headers.get("retry-after"))
  return seconds > 0 ? Math.min(seconds * 1000, longestPauseMs) : pauseMs
}

/**
 * Tells of a charge by the stream of its `/estado` while the document is seen, and by questions where there is no stream:
 * none was granted, or something on the way holds it back. It ends by itself with a final state. Answers what ends it.
 */
export const watchState = (url: string, reader: StateReader): (() => void) => {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let controller: AbortController | undefined
  let failures = 0

  const rest = (): void => {
    source?.close()
    source = undefined
    controller?.abort()
    clearTimeout(timer)
  }

  const end = (): void => {
    rest()
    document.removeEventListener("visibilitychange", follow)
  }

  const got = (body: StateBody): void => {
    failures = 0
    reader.reach(true)
    if (body.final) end()
    reader.read(body)
  }

  const answered = async (response: Response): Promise<number | undefined> => {
    if (response.status === 404 || response.status === 410) {
      end()
      reader.end()
      return undefined
    }
    if (response.ok) got((await response.json()) as StateBody)
    return pauseOf(response)
  }

  const failed = (): number => {
    failures++
    reader.reach(false)
    return Math.min(1000 * 2 ** failures, longestPauseMs)
  }

  const ask = async (question = 1): Promise<void> => {
    const asked = (controller = new AbortController())
    const pause = await fetch(url, {
      headers: { accept: "application/json" },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: asked.signal,
    })
      .then(answered)
      .catch(() => (asked.signal.aborted ? undefined : failed()))
    if (asked.signal.aborted) return
    timer = setTimeout(() => (question < questionsBeforeStream ? void ask(question + 1) : listen()), pause)
  }

  const askInstead = (): void => {
    rest()
    void ask()
  }

  const listen = (): void => {
    rest()
    if (typeof EventSource === "undefined") return void ask()
    const opened = (source = new EventSource(url))
    timer = setTimeout(askInstead, silentMs)
    const heard = (): void => {
      clearTimeout(timer)
      if (source === opened) timer = setTimeout(listen, deadMs)
    }
    opened.addEventListener("estado", ({ data }: MessageEvent<string>) => {
      got(JSON.parse(data) as StateBody)
      heard()
    })
    opened.addEventListener("heartbeat", heard)
    opened.addEventListener("open", () => reader.reach(true))
    // The browser connects again by itself, unless the server refused.
    opened.addEventListener("error", () => {
      if (opened.readyState === EventSource.CLOSED) askInstead()
      else reader.reach(false)
    })
  }

  // Browsers grant a host six connections over HTTP/1.1, for all of its pages together.
  const follow = (): void => (document.hidden ? rest() : listen())

  document.addEventListener("visibilitychange", follow)
  follow()
  return end
}
