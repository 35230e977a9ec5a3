import type { Connection } from "../Connection.ts"

/** A connection of `pg` that was made, and what a request to cancel its statement names. */
interface Session {
  readonly processID?: number | null
  readonly secretKey?: number | null
  readonly host?: string
  readonly port?: number
}

/** A way to the server that `pg` has not yet begun to make: TLS, and a socket of the host's own, as its options say. */
interface Way {
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
  readonly Client?: new (options?: object) => { readonly connection?: Way }
}

/** For how long a request to cancel is tried, and a cancelled statement waited for, in milliseconds. */
export const cancelMs = 1_000

/**
 * Asks the server to cancel what a connection of the pool is waiting for, over a way of its own as the protocol has it: no
 * statement, no right and no connection of the pool is needed, and pgbouncer passes it on to the session that has the
 * statement. Resolves to whether the server has taken it, and with it the session that it names.
 */
export const cancelStatement = (pool: Connection, session: Connection): Promise<boolean> =>
  new Promise((resolve) => {
    const { Client, options } = pool as CancellingPool
    const { processID, secretKey, host = "", port = 5432 } = session as Session
    const way = Client === undefined ? undefined : new Client(options).connection
    if (way === undefined || typeof processID !== "number" || typeof secretKey !== "number") return resolve(false)
    const end = (isTaken: boolean) => {
      clearTimeout(timer)
      way.stream.destroy()
      resolve(isTaken)
    }
    const timer = setTimeout(() => end(false), cancelMs)
    const cancel = () => way.cancel(processID, secretKey)
    way.on("error", () => end(false))
    // The server closes it once the session was told.
    way.on("end", () => end(true))
    way.on("sslconnect", cancel)
    way.on("connect", () => {
      if (!way.ssl) cancel()
      else if (way.sslNegotiation !== "direct") way.requestSsl()
    })
    if (host.startsWith("/")) way.connect(`${host}/.s.PGSQL.${port}`)
    else way.connect(port, host)
  })
