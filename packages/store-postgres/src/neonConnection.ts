import type { Connection } from "./Connection.ts"

/** What is needed of the function that Neon's `neon(url)` makes. Neon's own `Pool` is a connection as it is. */
export interface NeonLike {
  query(text: string, values: Array<unknown>): Promise<ReadonlyArray<unknown>>
}

/** Neon over HTTP as a connection: each statement is a request of its own. */
export const neonConnection = (neon: NeonLike): Connection => ({
  query: async ({ text, values }) => ({ rows: await neon.query(text, values) }),
})
