import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { checkUrl, type NetworkPolicy } from "./networkPolicy.ts"
import { type Answer, answerLimit, headOf, NoAnswer, totalLimitMs, type Transport } from "./Transport.ts"

/**
 * Carries POSTs through a fetch of the host's own (an egress proxy, a test). Only the URL's text is checked then: which
 * addresses are dialled is the host's to guard.
 */
export const hostFetch = (fetch: typeof globalThis.fetch, policy: NetworkPolicy): Transport => ({
  send: ({ url: text, headers, body }) => {
    const url = checkUrl(text, policy)
    if (Result.isFailure(url)) return Effect.fail(new NoAnswer({ reason: url.failure.message }))
    return Effect.tryPromise({
      try: async (interrupted): Promise<Answer> => {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(totalLimitMs)])
        const response = await fetch(url.success, { method: "POST", headers, body, redirect: "manual", signal })
        const retryAfter = response.headers.get("retry-after")
        const head = headOf(await readLimited(response.body))
        return { status: response.status, head, ...(retryAfter !== null && { retryAfter }) }
      },
      catch: (error) => new NoAnswer({ reason: error instanceof Error ? error.name : "the host's fetch failed" }),
    })
  },
})

const readLimited = async (body: ReadableStream<Uint8Array> | null): Promise<ReadonlyArray<Uint8Array>> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  if (body === null) return chunks
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop cancels the stream.
    if (size > answerLimit) break
  }
  return chunks
}
