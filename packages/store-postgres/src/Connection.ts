/** One SQL statement with its values, as `pg` takes it. */
export interface Statement {
  readonly text: string
  /** Numbers, strings, booleans and nulls; never an object, so that no driver's own encoding matters. */
  readonly values: Array<unknown>
  /** A name lets the connection keep the statement's plan. A connection that keeps none may ignore it. */
  readonly name?: string
}

/**
 * What the store needs of the host's connection: a `pg.Pool` is one as it is; PGlite and Neon become one in three lines
 * each (`pgliteConnection`, `neonConnection`). Structural, so that no driver is a dependency.
 *
 * Statements may come at the same time and must not share a transaction.
 */
export interface Connection {
  readonly query: (statement: Statement) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  /** A pool tells of idle connections that broke; unheard, that would end the host's process. */
  on?(event: "error", listener: (error: Error) => void): unknown
  removeListener?(event: "error", listener: (error: Error) => void): unknown
}
