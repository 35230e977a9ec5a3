import type pg from "pg"
import { onTestFinished } from "vitest"

/** Opens another session, whose changes and locks stay uncommitted until `end`, or until the test ends. */
export const otherSession = async (pool: pg.Pool, act: (client: pg.PoolClient) => Promise<unknown>) => {
  const client = await pool.connect()
  let isOpen = true
  const end = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await client.query("COMMIT")
    client.release()
  }
  onTestFinished(end)
  await client.query("BEGIN")
  await act(client)
  return { client, end }
}
