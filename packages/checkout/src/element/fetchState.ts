import type { StateBody } from "../wire/StateBody.ts"

/** The delay between two polls where the server names none. */
const pollDelayMs = 5000
export const maxPollDelayMs = 60_000

const readDelayMs = (response: Response): number => {
  const seconds = Number(response.headers.get("retry-after"))
  return seconds > 0 ? Math.min(seconds * 1000, maxPollDelayMs) : pollDelayMs
}

/** Asks `/estado` for a charge's state, once; `isGone` if the link doesn't hold. Rejects if the server can't be reached. */
export const fetchState = async (url: string, signal: AbortSignal) => {
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
