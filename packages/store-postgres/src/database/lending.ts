import type { Connection, Statement } from "../Connection.ts"
import { failureOf, type FailureKind, SqlFailure } from "./SqlFailure.ts"

/** A connection of a pool, as `pg` lends it. */
interface LentConnection extends Connection {
  /** Gives it back; with an error, to be closed. */
  readonly release: (error?: Error) => void
}

interface Pool extends Connection {
  readonly connect: (taken: (error: Error | undefined, lent: LentConnection | undefined) => void) => void
}

/**
 * A single `pg.Client` has a `connect` too, which lends nothing; and whoever gives a pool a `query` of its own wants it to
 * be used.
 */
const isPool = (connection: Connection): connection is Pool =>
  "connect" in connection && "totalCount" in connection && !Object.hasOwn(connection, "query")

/** The database has answered, and its connection is as good as before. */
const answered: ReadonlySet<FailureKind> = new Set(["undone", "blocked", "badValue", "refused"])

const ignore = () => {}

/** Borrows a connection. Its breaking is told to its statement; unheard, it would also end the host's process. */
const borrow = (pool: Pool): Promise<LentConnection> =>
  new Promise((resolve, reject) => {
    pool.connect((error, lent) => {
      // Heard from this very moment on: the connection may break before the promise's own turn comes.
      lent?.on?.("error", ignore)
      if (lent === undefined) reject(error)
      else resolve(lent)
    })
  })

const giveBack = (lent: LentConnection, error?: Error): void => {
  lent.removeListener?.("error", ignore)
  lent.release(error)
}

/**
 * Sends statements over the host's connection. A pool's own `query` closes the connection of whatever fails, and a row
 * that somebody else has locked makes many statements fail: here a connection is closed only if it may be broken.
 */
export const makeSend = (connection: Connection): Connection["query"] => {
  if (!isPool(connection)) return (statement) => connection.query(statement)
  return async (statement: Statement) => {
    const { query_timeout: limit = Number.POSITIVE_INFINITY } = statement
    const began = performance.now()
    const lent = await borrow(connection)
    const left = limit - (performance.now() - began)
    if (left <= 0) {
      // Nobody waits for it any more: it is not sent, so that those who still wait have the connection.
      giveBack(lent)
      throw new SqlFailure({ kind: "unsent", code: "", message: "no connection to the database became free in time" })
    }
    let broken: Error | undefined
    try {
      return await lent.query(Number.isFinite(left) ? { ...statement, query_timeout: left } : statement)
    } catch (error) {
      if (!answered.has(failureOf(error).kind)) broken = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      giveBack(lent, broken)
    }
  }
}
