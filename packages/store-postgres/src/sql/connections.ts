import { checkSource } from "../schema/ready.ts"
import type { Connection } from "./Connection.ts"

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

/** What is needed of a `PGlite`. */
export interface PGliteLike {
  query(text: string, values: Array<unknown>): Promise<{ rows: Array<unknown> }>
}

/**
 * PGlite as a connection. It keeps no named statements, and runs one statement after the other. No network is between, so no statement
 * needs a time limit. Throws `InvalidOption` for what is no PGlite.
 */
export const pgliteConnection = (pglite: PGliteLike): Connection => {
  checkSource("pgliteConnection", pglite, "a PGlite, as await PGlite.create(folder) makes")
  return { query: ({ text, values }) => pglite.query(text, values), options: { max: 1 } }
}
