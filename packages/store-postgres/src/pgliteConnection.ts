import type { Connection } from "./Connection.ts"

/** What is needed of a `PGlite`. */
export interface PGliteLike {
  query(text: string, values: Array<unknown>): Promise<{ rows: Array<unknown> }>
}

/**
 * PGlite as a connection. It keeps no named statements, and runs one statement after the other. No network is between, so no statement
 * needs a time limit.
 */
export const pgliteConnection = (pglite: PGliteLike): Connection => ({
  query: ({ text, values }) => pglite.query(text, values),
  options: { max: 1 },
})
