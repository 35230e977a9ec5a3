/**
 * Remembers which events were handled, so that each is handled once however often it arrives. `Tx` is the transaction, or
 * another handle of the host's storage, given to the work, so that mark and work commit together.
 */
export interface SeenEvents<Tx = void> {
  /**
   * Runs the work unless this event was handled before, and marks it as handled if and only if the work succeeded; two
   * calls for the same event never work at the same time. True when the work ran. Rejects with what the work rejects with.
   */
  readonly once: (eventId: string, work: (tx: Tx) => Promise<void>) => Promise<boolean>
}

/** A signature is good from 300 s before its timestamp to 300 s after it (`verifyEvent`). */
const signatureLifeMs = 600_000

/**
 * Remembers in this process every event for as long as it could be sent again with the same signature, and the last 10 000,
 * or `capacity`, for longer: for an app of one process whose work may be repeated after a restart. Only who has a secret can
 * fill it. Not core's cache: that runs Effects, which a receiver would load for this alone.
 */
export const memorySeenEvents = (capacity = 10_000): SeenEvents => {
  /** When each event came last, oldest first. */
  const handled = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()

  const remember = (eventId: string): void => {
    const now = performance.now()
    handled.delete(eventId)
    handled.set(eventId, now)
    for (const [oldest, at] of handled) {
      if (handled.size <= capacity || now - at < signatureLifeMs) return
      handled.delete(oldest)
    }
  }

  return {
    once: async (eventId, work) => {
      for (let other = underWay.get(eventId); other; other = underWay.get(eventId)) await other.catch(() => undefined)
      if (handled.has(eventId)) {
        // A repeat has a signature of its own.
        remember(eventId)
        return false
      }
      const current = work()
      underWay.set(eventId, current)
      try {
        await current
        remember(eventId)
        return true
      } finally {
        underWay.delete(eventId)
      }
    },
  }
}
