import { InvalidOption } from "@pixcharge/core"
import { hasMethods } from "@pixcharge/core/internal"

/** One SQL statement with its values, as `pg` takes it. */
export interface Statement {
  readonly text: string
  /** Numbers, strings, booleans and nulls; never an object, so that no driver's own encoding matters. */
  readonly values: Array<unknown>
  /** A name lets the connection keep the statement's plan. A connection that keeps none may ignore it. */
  readonly name?: string
  /**
   * After this many milliseconds nobody waits for the answer any more. The connection must then be closed and leave its pool, even if its
   * socket is silent, and the promise must be rejected. Otherwise the connection is lost to all callers until TCP gives it up, which
   * takes minutes. `pg` does it from 8.13 on.
   */
  readonly query_timeout?: number
  /**
   * Aborted once nobody waits for the answer of a statement that only reads. The connection should then cancel it on the server, if its
   * driver can; for a `pg.Pool` the store does so itself.
   */
  readonly signal?: AbortSignal
}

/**
 * What the store needs of the host's connection: a `pg.Pool` is one as it is; PGlite and Neon become one in three lines
 * each (`pgliteConnection`, `neonConnection`). Structural, so that no driver is a dependency. A
 * single `pg.Client` is one, too, but isn't replaced when it breaks.
 *
 * The store borrows the connections of a `pg.Pool` itself, because the pool's own `query` closes one whenever the database refuses a
 * statement. A pool whose `query` was replaced is used through that.
 *
 * Statements may come at the same time and must not share a transaction. An adapter of your own must give up a statement after its
 * `query_timeout`, and making or waiting for a connection after some seconds.
 */
export interface Connection {
  readonly query: (statement: Statement) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  /**
   * A pool's options. If they have no `connectionTimeoutMillis`, the store sets it to 15 s: `pg` would otherwise wait for ever for a
   * connection through a silent network. `0` is left as it is. `max` is the number of connections, by default 10, of which reports take
   * a quarter.
   */
  readonly options?: { connectionTimeoutMillis?: number | undefined; readonly max?: number | undefined }
  /** A pool emits `error` when an idle connection breaks; without a listener, that would end the host's process. */
  on?(event: "error", listener: (error: Error) => void): unknown
  removeListener?(event: "error", listener: (error: Error) => void): unknown
}

export const promiseHint = "it is a promise: await it first"

/** Throws `InvalidOption` where what is to become a connection, as `caller` makes it, runs no query. */
const checkSource = (caller: string, given: unknown, mustBe: string): void => {
  if (typeof Reflect.get(Object(given), "query") === "function") return
  const said = hasMethods(given, "then") ? `${mustBe}; ${promiseHint}` : mustBe
  throw new InvalidOption({ message: `${caller} needs ${said}.` })
}

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
