/**
 * Handles each event once. `Tx` is a transaction, or a similar handle of the host's storage: the mark and the work commit together
 * in it.
 */
export interface SeenEvents<Tx = void> {
  /**
   * Runs the work unless this event was handled before, and marks the event as handled if the work succeeds. Two calls for the
   * same event never run at the same time. True if the work ran. Rejects with the work's error.
   */
  readonly once: (eventId: string, work: (tx: Tx) => Promise<void>) => Promise<boolean>
}

/** The life of a signature in milliseconds: from 300 s before its timestamp to 300 s after it (`verifyEvent`). */
const signatureLifeMs = 600_000

/**
 * Remembers events in this process, for an app of one process that can repeat its work after a restart. It keeps every event
 * while its signature is valid, and the last `capacity` events for longer.
 */
export const memorySeenEvents = (capacity = 10_000): SeenEvents => {
  /** Last arrivals, oldest first, in monotonic milliseconds. Core's cache would make receivers load Effect. */
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
        // The repeat has a newer signature.
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
