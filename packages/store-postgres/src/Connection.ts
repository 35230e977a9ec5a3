/** One SQL statement with its values, as `pg` takes it. */
export interface Statement {
  readonly text: string
  /** Numbers, strings, booleans and nulls; never an object, so that no driver's own encoding matters. */
  readonly values: Array<unknown>
  /** A name lets the connection keep the statement's plan. A connection that keeps none may ignore it. */
  readonly name?: string
  /**
   * After this many milliseconds without an answer nobody waits for the statement any more. Its connection must then be
   * closed and leave its pool, however silent its socket is, and the promise rejected: a connection that goes on waiting
   * is lost to all other callers until TCP gives it up, which takes minutes. `pg` does it from 8.13 on.
   */
  readonly query_timeout?: number
  /**
   * Of what only reads: aborted once nobody waits for the answer any more. The statement is then to be cancelled on the server,
   * where the driver can; of a `pg.Pool` the store does it itself.
   */
  readonly signal?: AbortSignal
}

/**
 * What the store needs of the host's connection: a `pg.Pool` is one as it is; PGlite and Neon become one in three lines
 * each (`pgliteConnection`, `neonConnection`). Structural, so that no driver is a dependency.
 *
 * Of a `pg.Pool` connections are borrowed one by one, for its own `query` closes one whenever the database refuses a
 * statement; a pool whose `query` was replaced is used through that.
 *
 * Statements may come at the same time and must not share a transaction. An adapter of your own must give up what takes
 * too long: a statement after its `query_timeout`, and making or waiting for a connection after some seconds.
 */
export interface Connection {
  readonly query: (statement: Statement) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  /**
   * A pool's options. One that has no `connectionTimeoutMillis` is given one of 15 s: `pg` would else wait without end
   * for a connection through a network that has gone silent. `0` is left as it is. `max` is how many connections it has, of
   * which reports take a quarter; without it, it counts as 10.
   */
  readonly options?: { connectionTimeoutMillis?: number | undefined; readonly max?: number | undefined }
  /** A pool emits `error` when an idle connection breaks; without a listener, that would end the host's process. */
  on?(event: "error", listener: (error: Error) => void): unknown
  removeListener?(event: "error", listener: (error: Error) => void): unknown
}
