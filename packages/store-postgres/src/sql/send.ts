import type { Connection, Statement } from "./Connection.ts"
import { type FailureKind, SqlFailure, sqlFailure } from "./SqlFailure.ts"

export type Row = Readonly<Record<string, unknown>>

export interface Limits {
  /** Milliseconds until a statement without an answer is given up; it can still be executed. Default 15 000. */
  readonly answerMs?: number
  /** Milliseconds to make a connection or wait for a free one, in a pool without its own limit. Default 15 000. */
  readonly connectMs?: number
}

interface LentConnection extends Connection {
  readonly release: (error?: Error) => void
}

interface Pool extends Connection {
  readonly connect: (taken: (error: Error | undefined, lent: LentConnection | undefined) => void) => void
}

/** A single `pg.Client` also has a `connect`, but lends no connections. */
const isPool = (connection: Connection): connection is Pool =>
  "connect" in connection && "totalCount" in connection && !Object.hasOwn(connection, "query")

const answeredKinds: ReadonlySet<FailureKind> = new Set(["undone", "blocked", "badValue", "refused", "unreplicated"])

const ignore = () => {}

/** A broken connection fails its statement anyway, but an `error` event without a listener would end the process. */
const borrow = (pool: Pool): Promise<LentConnection> =>
  new Promise((resolve, reject) => {
    pool.connect((error, lent) => {
      // The connection can break before the promise resolves.
      lent?.on?.("error", ignore)
      if (lent === undefined) reject(error)
      else resolve(lent)
    })
  })

const returnConnection = (lent: LentConnection, error?: Error): void => {
  lent.removeListener?.("error", ignore)
  lent.release(error)
}

const refuseCancelledWait = (session: Connection, before: number): void => {
  if (cancelledWaits(session).count === before) return
  const message = "the wait for the synchronous standby was cancelled"
  throw new SqlFailure({ kind: "unreplicated", sqlState: "", message })
}

interface SendOptions {
  readonly reads: boolean
  readonly signal: AbortSignal | undefined
}

interface Sending extends SendOptions {
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

const makeCancel = (pool: Pool, lent: LentConnection, sending: Sending) => {
  let taken: Promise<boolean> | undefined
  const cancel = () => void (taken ??= cancelStatement(pool, lent).catch(() => false))
  if (sending.reads) {
    sending.cancel = cancel
    sending.signal?.addEventListener("abort", cancel)
  }
  return {
    isCancelled: () => taken !== undefined,
    /** Whether the server took the cancellation; undefined if no cancellation was sent. */
    end: (): Promise<boolean> | undefined => {
      sending.cancel = undefined
      sending.signal?.removeEventListener("abort", cancel)
      return taken
    },
  }
}

const queryPool = async (pool: Pool, statement: Statement, limitMs: number, sending: Sending) => {
  const began = performance.now()
  const lent = await borrow(pool)
  const remainingMs = limitMs - (performance.now() - began)
  if (remainingMs <= 0 || sending.signal?.aborted === true) {
    // The caller has given up.
    returnConnection(lent)
    throw new SqlFailure({ kind: "unsent", sqlState: "", message: "no connection to the database became free in time" })
  }
  const cancel = makeCancel(pool, lent, sending)
  let broken: Error | undefined
  try {
    const { count } = cancelledWaits(lent)
    const answer = await lent.query({
      query_timeout: sending.reads ? remainingMs + cancelMs : remainingMs,
      ...statement,
    })
    refuseCancelledWait(lent, count)
    return answer
  } catch (error) {
    if (!answeredKinds.has(sqlFailure(error).kind)) broken = error instanceof Error ? error : new Error(String(error))
    throw cancel.isCancelled() ? lostFailure(limitMs) : error
  } finally {
    const taken = cancel.end()
    // Closes the connection, because a cancellation under way could hit another caller's statement on it.
    if (taken !== undefined && !(await taken))
      broken ??= new Error("the cancellation of its statement can still arrive")
    returnConnection(lent, broken)
  }
}

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

const limitConnecting = ({ options }: Connection, ms: number): void => {
  if (options !== undefined) options.connectionTimeoutMillis ??= ms
}

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

interface Session {
  readonly processID?: number | null
  readonly secretKey?: number | null
  readonly host?: string
  readonly port?: number
}

interface CancelConnection {
  readonly stream: { readonly destroy: () => void }
  readonly ssl: unknown
  readonly sslNegotiation?: string
  on(event: string, listener: () => void): unknown
  readonly connect: (portOrPath: number | string, host?: string) => void
  readonly requestSsl: () => void
  readonly cancel: (processID: number, secretKey: number) => void
}

interface CancellingPool {
  readonly options?: object
  readonly Client?: new (options?: object) => { readonly connection?: CancelConnection }
}

/** Milliseconds for a cancel request, and then for the end of the cancelled statement. */
export const cancelMs = 1_000

/** Asks the server to cancel the statement of one of the pool's connections; resolves to whether the server took the request. */
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
    // The server closes the connection after passing the request on.
    request.on("end", () => end(true))
    request.on("sslconnect", cancel)
    request.on("connect", () => {
      if (!request.ssl) cancel()
      else if (request.sslNegotiation !== "direct") request.requestSsl()
    })
    if (host.startsWith("/")) request.connect(`${host}/.s.PGSQL.${port}`)
    else request.connect(port, host)
  })

interface CancelledWaits {
  count: number
}

interface NoticeSource {
  on?(event: "notice", listener: (notice: { readonly routine?: string | undefined }) => void): unknown
}

const sessions = new WeakMap<object, CancelledWaits>()

/**
 * Counts a session's cancelled waits for the synchronous standby. After such a wait, Postgres reports success and only sends a
 * warning, in the server's language, although a failover can undo the statement.
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
