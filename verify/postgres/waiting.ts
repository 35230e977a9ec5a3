import type { Connection } from "@pixcharge/store-postgres"
import type pg from "pg"

// The real timer, which works even in a test that has stopped the clock.
const later = setTimeout

export const waitMs = (ms: number): Promise<void> => new Promise((resume) => void later(resume, ms))

/** Waits until a condition holds. The test's own time limit ends a longer wait. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await waitMs(1)
}

export const untilBlocking = async (client: pg.PoolClient, pool: pg.Pool): Promise<void> => {
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND $1 = ANY (pg_blocking_pids(pid))"
  await until(async () => (await pool.query(waiting, [rows[0].pid])).rows.length > 0)
}

export const isLockTimeout = (value: unknown): boolean => /^\d+m?s$/.test(String(value))

/** A connection whose statements wait for locks without a time-out. */
export const withoutLockTimeout = (pool: pg.Pool): Connection => ({
  query: ({ values, ...statement }) =>
    pool.query({ ...statement, values: values.map((value) => (isLockTimeout(value) ? "0" : value)) }),
})
