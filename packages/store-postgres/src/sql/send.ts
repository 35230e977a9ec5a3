import type { Connection, Statement } from "./Connection.ts"
import { type FailureKind, SqlFailure, sqlFailure } from "./SqlFailure.ts"

/** A row as drivers give it. */
export type Row = Readonly<Record<string, unknown>>

/** For how long the database is waited for, in milliseconds. */
export interface Limits {
  /** A statement without an answer is given up after this time; it may still be carried out. Default 15 000. */
  readonly answerMs?: number
  /** How long a pool without a limit of its own may take for a new connection, or for a free one. Default 15 000. */
  readonly connectMs?: number
}

/** A connection of a pool, as `pg` lends it. */
interface LentConnection extends Connection {
  /** Gives it back; with an error, to be closed. */
  readonly release: (error?: Error) => void
}

interface Pool extends Connection {
  readonly connect: (taken: (error: Error | undefined, lent: LentConnection | undefined) => void) => void
}

/**
 * A single `pg.Client` has a `connect`, too, which lends nothing. A host that has given a pool a `query` of its own wants it to be
 * used.
 */
const isPool = (connection: Connection): connection is Pool =>
  "connect" in connection && "totalCount" in connection && !Object.hasOwn(connection, "query")

/** Failures with which the database has answered, so that the connection is as good as before. */
const answeredKinds: ReadonlySet<FailureKind> = new Set(["undone", "blocked", "badValue", "refused", "unreplicated"])

const ignore = () => {}

/** Borrows a connection. Its statement fails if it breaks; an `error` event without a listener would end the process. */
const borrow = (pool: Pool): Promise<LentConnection> =>
  new Promise((resolve, reject) => {
    pool.connect((error, lent) => {
      // Listens at once: the connection may break before the promise is resolved.
      lent?.on?.("error", ignore)
      if (lent === undefined) reject(error)
      else resolve(lent)
    })
  })

const returnConnection = (lent: LentConnection, error?: Error): void => {
  lent.removeListener?.("error", ignore)
  lent.release(error)
}

/** Throws if the session has reported a cancelled wait since there were `before` of them. */
const refuseCancelledWait = (session: Connection, before: number): void => {
  if (cancelledWaits(session).count === before) return
  const message = "the wait for the synchronous standby was cancelled"
  throw new SqlFailure({ kind: "unreplicated", sqlState: "", message })
}

/** How a statement is sent. */
interface SendOptions {
  /** It changes nothing, and is cancelled once nobody waits for it. */
  readonly reads: boolean
  /** Aborted once the caller doesn't wait any more. */
  readonly signal: AbortSignal | undefined
}

/** A statement on its way. */
interface Sending extends SendOptions {
  /** Cancels it, while that can be done. */
  cancel?: (() => void) | undefined
}

const querySession = async (session: Connection, statement: Statement, { reads, signal }: SendOptions) => {
  const { count } = cancelledWaits(session)
  const answer = await session.query(reads && signal !== undefined ? { ...statement, signal } : statement)
  refuseCancelledWait(session, count)
  return answer
}

const lostFailure = (ms: number): SqlFailure =>
  new SqlFailure({ kind: "lost", sqlState: "", message: `no answer from the database for ${ms / 1000} s` })

/** Cancels the statement of a lent connection at most once. */
const makeCancel = (pool: Pool, lent: LentConnection, sending: Sending) => {
  let taken: Promise<boolean> | undefined
  const cancel = () => void (taken ??= cancelStatement(pool, lent).catch(() => false))
  if (sending.reads) {
    sending.cancel = cancel
    sending.signal?.addEventListener("abort", cancel)
  }
  return {
    isCancelled: () => taken !== undefined,
    /** Whether the server has taken the cancellation; undefined where there was none. */
    end: (): Promise<boolean> | undefined => {
      sending.cancel = undefined
      sending.signal?.removeEventListener("abort", cancel)
      return taken
    },
  }
}

/**
 * Sends a statement over a connection of the pool. The pool's own `query` closes the connection of every statement that
 * fails, and a row that is locked makes many fail: here a connection is closed only if it may be broken.
 */
const queryPool = async (pool: Pool, statement: Statement, limitMs: number, sending: Sending) => {
  const began = performance.now()
  const lent = await borrow(pool)
  const left = limitMs - (performance.now() - began)
  if (left <= 0 || sending.signal?.aborted === true) {
    // Its caller has given up: the statement is not sent, so that others have the connection.
    returnConnection(lent)
    throw new SqlFailure({ kind: "unsent", sqlState: "", message: "no connection to the database became free in time" })
  }
  const cancel = makeCancel(pool, lent, sending)
  let broken: Error | undefined
  try {
    const { count } = cancelledWaits(lent)
    const answer = await lent.query({ query_timeout: sending.reads ? left + cancelMs : left, ...statement })
    refuseCancelledWait(lent, count)
    return answer
  } catch (error) {
    if (!answeredKinds.has(sqlFailure(error).kind)) broken = error instanceof Error ? error : new Error(String(error))
    throw cancel.isCancelled() ? lostFailure(limitMs) : error
  } finally {
    const taken = cancel.end()
    // A cancellation that is still on its way could hit another caller's statement on this connection.
    if (taken !== undefined && !(await taken))
      broken ??= new Error("the cancellation of its statement may still arrive")
    returnConnection(lent, broken)
  }
}

/** Gives up a statement that takes too long; one that can be cancelled only once that is done, or a while later. */
const limitTime = <A>(answer: Promise<A>, ms: number, sending: Sending): Promise<A> =>
  new Promise((resolve, reject) => {
    const lose = () => reject(lostFailure(ms))
    let timer = setTimeout(() => {
      if (sending.cancel === undefined) return lose()
      sending.cancel()
      timer = setTimeout(lose, cancelMs)
    }, ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** A `pg.Pool` without this limit waits for a silent network for ever, and so does every caller that wants a connection. */
const limitConnecting = ({ options }: Connection, ms: number): void => {
  if (options !== undefined) options.connectionTimeoutMillis ??= ms
}

/** Sends a statement once over the host's connection; rejects with what the driver throws. */
export const makeSend = (connection: Connection, { answerMs, connectMs }: Required<Limits>) => {
  limitConnecting(connection, connectMs)
  return async (statement: Statement, options: SendOptions): Promise<ReadonlyArray<Row>> => {
    const sending: Sending = { ...options }
    const answer = isPool(connection)
      ? queryPool(connection, statement, answerMs, sending)
      : querySession(connection, { query_timeout: answerMs, ...statement }, options)
    return (await limitTime(answer, answerMs, sending)).rows as ReadonlyArray<Row>
  }
}

/** A connection of `pg` that was made, and what a request to cancel its statement names. */
interface Session {
  readonly processID?: number | null
  readonly secretKey?: number | null
  readonly host?: string
  readonly port?: number
}

/** A connection that `pg` has not yet begun to make: with TLS, or a socket of the host's own, as its options say. */
interface CancelConnection {
  readonly stream: { readonly destroy: () => void }
  readonly ssl: unknown
  readonly sslNegotiation?: string
  on(event: string, listener: () => void): unknown
  readonly connect: (portOrPath: number | string, host?: string) => void
  readonly requestSsl: () => void
  readonly cancel: (processID: number, secretKey: number) => void
}

/** A pool of `pg`, with the class that it makes its connections of. */
interface CancellingPool {
  readonly options?: object
  readonly Client?: new (options?: object) => { readonly connection?: CancelConnection }
}

/** How long a request to cancel is tried, and how long a cancelled statement is waited for, in milliseconds. */
export const cancelMs = 1_000

/**
 * Asks the server to cancel what a connection of the pool is waiting for, over a connection of its own, as the protocol has it: no
 * statement, no right and no connection of the pool is needed, and pgbouncer passes it on to the session that has the
 * statement. Resolves to whether the server has taken the request.
 */
export const cancelStatement = (pool: Connection, session: Connection): Promise<boolean> =>
  new Promise((resolve) => {
    const { Client, options } = pool as CancellingPool
    const { processID, secretKey, host = "", port = 5432 } = session as Session
    const request = Client === undefined ? undefined : new Client(options).connection
    if (request === undefined || typeof processID !== "number" || typeof secretKey !== "number") return resolve(false)
    const end = (isTaken: boolean) => {
      clearTimeout(timer)
      request.stream.destroy()
      resolve(isTaken)
    }
    const timer = setTimeout(() => end(false), cancelMs)
    const cancel = () => request.cancel(processID, secretKey)
    request.on("error", () => end(false))
    // The server closes it once it has passed the request on.
    request.on("end", () => end(true))
    request.on("sslconnect", cancel)
    request.on("connect", () => {
      if (!request.ssl) cancel()
      else if (request.sslNegotiation !== "direct") request.requestSsl()
    })
    if (host.startsWith("/")) request.connect(`${host}/.s.PGSQL.${port}`)
    else request.connect(port, host)
  })

/** How often a session has reported a cancelled wait for the synchronous standby. */
interface CancelledWaits {
  count: number
}

/** A connection of `pg`, which emits notices. */
interface NoticeSource {
  on?(event: "notice", listener: (notice: { readonly routine?: string | undefined }) => void): unknown
}

const sessions = new WeakMap<object, CancelledWaits>()

/**
 * Counts the cancelled waits of a session. If a statement's wait for the synchronous standby is cancelled, Postgres reports success and
 * only warns, in the server's language: a failover may take back what the statement has committed.
 */
export const cancelledWaits = (session: object): Readonly<CancelledWaits> => {
  const known = sessions.get(session)
  if (known !== undefined) return known
  const waits = { count: 0 }
  sessions.set(session, waits)
  ;(session as NoticeSource).on?.("notice", ({ routine }) => {
    if (routine === "SyncRepWaitForLSN") waits.count += 1
  })
  return waits
}
