import type { Connection } from "../Connection.ts"

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
