import type { Connection } from "./Connection.ts"
import { checkSource } from "./readyRules.ts"

/** What is needed of the function that Neon's `neon(url)` makes. Neon's own `Pool` is a connection as it is. */
export interface NeonLike {
  query(
    text: string,
    values: Array<unknown>,
    options?: { readonly fetchOptions: { readonly signal: AbortSignal } },
  ): Promise<ReadonlyArray<unknown>>
}

/**
 * Neon over HTTP as a connection: each statement is a request of its own, which is aborted once nobody waits for its answer.
 * Throws `InvalidOption` for what `neon` of release 1 or later doesn't make.
 */
export const neonConnection = (neon: NeonLike): Connection => {
  checkSource("neonConnection", neon, "what neon(url) of @neondatabase/serverless makes, of its release 1 or later")
  return {
    query: async ({ text, values, query_timeout, signal }) => {
      const signals = [
        ...(query_timeout === undefined ? [] : [AbortSignal.timeout(query_timeout)]),
        ...(signal === undefined ? [] : [signal]),
      ]
      const options = signals.length === 0 ? undefined : { fetchOptions: { signal: AbortSignal.any(signals) } }
      return { rows: await neon.query(text, values, options) }
    },
  }
}
