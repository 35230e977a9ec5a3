import type { Connection } from "./Connection.ts"
import { checkSource } from "./readyRules.ts"

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
