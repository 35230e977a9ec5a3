import type { Connection } from "./Connection.ts"

/** What is needed of a `PGlite`. */
export interface PGliteLike {
  query(text: string, values: Array<unknown>): Promise<{ rows: Array<unknown> }>
}

/**
 * PGlite as a connection. It keeps no named statements, and runs one statement after the other by itself. There is no
 * network that could go silent, so that no statement needs to be given up.
 */
export const pgliteConnection = (pglite: PGliteLike): Connection => ({
  query: ({ text, values }) => pglite.query(text, values),
  options: { max: 1 },
})
