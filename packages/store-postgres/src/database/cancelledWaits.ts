/** How often a session has said that a wait for the synchronous standby was cancelled. */
interface CancelledWaits {
  count: number
}

/** As `pg` emits it. */
interface NoticeSource {
  on?(event: "notice", listener: (notice: { readonly routine?: string | undefined }) => void): unknown
}

const sessions = new WeakMap<object, CancelledWaits>()

/**
 * What a session has said of cancelled waits so far. Postgres calls a statement a success whose wait for the synchronous
 * standby was cancelled, and warns only (in the server's language): a failover may take back what it has committed.
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
