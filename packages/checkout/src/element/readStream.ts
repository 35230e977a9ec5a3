import type { StateBody } from "../wire/StateBody.ts"

/** A proxy on its way holds back a stream that has sent nothing for this time. */
const firstEventMs = 10_000
/** A stream that misses three heartbeats is dead: routers forget connections and tell neither end. */
const nextEventMs = 45_000

/**
 * Reads the stream of `/estado` until `signal` aborts.
 *
 * Resolves with true once it is dead and another may be opened, with false where it was refused or nothing came.
 */
export const readStream = (
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
