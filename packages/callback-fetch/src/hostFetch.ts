import { readUpTo } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { checkUrl, type NetworkPolicy } from "./networkPolicy.ts"
import {
  type Answer,
  readHead,
  answerLimitBytes,
  NoAnswer,
  type Post,
  totalLimitMs,
  type Transport,
} from "./Transport.ts"

/** A transport over the host's `fetch`, which checks only the URL's text. */
export const hostFetch = (fetch: typeof globalThis.fetch, policy: NetworkPolicy): Transport => ({
  send: (post) => {
    const url = checkUrl(post.url, policy)
    if (Result.isFailure(url))
      return Effect.fail(new NoAnswer({ reason: `the callback URL is not allowed: ${url.failure.rule}` }))
    return Effect.tryPromise({
      try: (signal) => exchange(fetch, url.success, post, signal),
      catch: (error) => new NoAnswer({ reason: error instanceof Error ? error.name : "the host's fetch failed" }),
    }).pipe(
      // The host's fetch can ignore the signal.
      Effect.timeoutOrElse({
        duration: totalLimitMs,
        orElse: () => Effect.fail(new NoAnswer({ reason: "no answer within 15 s" })),
      }),
    )
  },
})

const exchange = async (
  fetch: typeof globalThis.fetch,
  url: URL,
  { headers, body }: Post,
  signal: AbortSignal,
): Promise<Answer> => {
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal })
  const retryAfter = response.headers.get("retry-after")
  const { bytes } = await readUpTo(response.body, answerLimitBytes)
  return {
    status: response.status,
    head: readHead(bytes),
    ...(retryAfter !== null && { retryAfter }),
  }
}
