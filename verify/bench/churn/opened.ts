import { ChargeStore } from "@pixcharge/core"
import { postgresStore } from "@pixcharge/store-postgres"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"

/** A store on a database that has its schema, and the pool that it uses. */
export const open = async (connectionString: string) => {
  const pool = new pg.Pool({ connectionString, max: 10, idleTimeoutMillis: 0 })
  // Connections that are still ending when the server stops.
  pool.on("error", () => {})
  const runtime = ManagedRuntime.make(postgresStore({ db: pool }))
  await runtime.runPromise(ChargeStore)
  return { pool, runtime }
}
/** What `open` gives. */
export type Opened = Awaited<ReturnType<typeof open>>

export const close = async ({ pool, runtime }: Opened): Promise<void> => {
  await runtime.dispose()
  await pool.end()
}
