import { InvalidOption } from "@pixcharge/core"
import { hasMethods } from "@pixcharge/core/internal"

/** A statement in the form that `pg` takes. */
export interface Statement {
  readonly text: string
  /** Numbers, strings, booleans and nulls; no objects, because drivers encode them differently. */
  readonly values: Array<unknown>
  /** The connection can keep the statement's plan under this name, or ignore the name. */
  readonly name?: string
  /**
   * Milliseconds after which no caller waits for the answer. The connection must then be closed and leave its pool, even if its
   * socket is silent, and the promise must reject: otherwise callers lose the connection for minutes. `pg` does this from 8.13
   * on.
   */
  readonly query_timeout?: number
  /**
   * Aborted when no caller waits any more for a statement that only reads. The connection should then cancel the statement on the
   * server, if its driver can; the store itself does so for a `pg.Pool`.
   */
  readonly signal?: AbortSignal
}

/**
 * The store's view of the host's connection: a `pg.Pool`, or the result of `pgliteConnection` or `neonConnection`. The type is
 * structural, because no driver is a dependency. A single `pg.Client` works too, but isn't replaced when it breaks.
 *
 * The store borrows the connections of a `pg.Pool` itself, because the pool's `query` closes a connection after every refused
 * statement. If the host replaced a pool's `query`, the store uses the replacement.
 *
 * Statements can run at the same time and must not share a transaction. Your own adapter must give up a statement after its
 * `query_timeout`, and give up making or waiting for a connection after some seconds.
 */
export interface Connection {
  readonly query: (statement: Statement) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
  /**
   * A pool's options. The store sets a missing `connectionTimeoutMillis` to 15 s, because `pg` would wait for ever on a silent
   * network. An explicit `0` stays. `max` is the number of connections, by default 10. Reports use a quarter of them.
   */
  readonly options?: { connectionTimeoutMillis?: number | undefined; readonly max?: number | undefined }
  /** A pool emits `error` when an idle connection breaks; without a listener, that would end the host's process. */
  on?(event: "error", listener: (error: Error) => void): unknown
  removeListener?(event: "error", listener: (error: Error) => void): unknown
}

export const promiseHint = "it is a promise: await it first"

/** Throws `InvalidOption` if `given` has no `query`. */
const checkSource = (caller: string, given: unknown, mustBe: string): void => {
  if (typeof Reflect.get(Object(given), "query") === "function") return
  const rule = hasMethods(given, "then") ? `${mustBe}; ${promiseHint}` : mustBe
  throw new InvalidOption({ message: `${caller} needs ${rule}.` })
}

/** The required part of the function that `neon(url)` returns. Neon's own `Pool` is itself a connection. */
export interface NeonLike {
  query(
    text: string,
    values: Array<unknown>,
    options?: { readonly fetchOptions: { readonly signal: AbortSignal } },
  ): Promise<ReadonlyArray<unknown>>
}

/**
 * Neon over HTTP as a connection: each statement is its own request, which is aborted when no caller waits for it. Throws
 * `InvalidOption` for a value that `neon` of release 1 or later didn't make.
 */
export const neonConnection = (neon: NeonLike): Connection => {
  checkSource("neonConnection", neon, "the result of neon(url) of @neondatabase/serverless, release 1 or later")
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

/** The required part of a `PGlite`. */
export interface PGliteLike {
  query(text: string, values: Array<unknown>): Promise<{ rows: Array<unknown> }>
}

/**
 * PGlite as a connection. It keeps no named statements, and runs one statement after the other, without a time limit. Throws
 * `InvalidOption` for a value that isn't a PGlite.
 */
export const pgliteConnection = (pglite: PGliteLike): Connection => {
  checkSource("pgliteConnection", pglite, "a PGlite, the result of await PGlite.create(folder)")
  return { query: ({ text, values }) => pglite.query(text, values), options: { max: 1 } }
}
