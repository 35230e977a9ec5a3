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
