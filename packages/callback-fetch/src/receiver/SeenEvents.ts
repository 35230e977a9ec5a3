/**
 * Remembers which events were handled, so that each is handled once however often it arrives. `Tx` is the transaction, or
 * whatever else the host's storage hands to the work, so that mark and work commit together.
 */
export interface SeenEvents<Tx = void> {
  /**
   * Runs the work unless this event was handled before, and marks it as handled if and only if the work succeeded; two
   * calls for the same event never work at the same time. True when the work ran. Rejects with what the work rejects with.
   */
  readonly once: (eventId: string, work: (tx: Tx) => Promise<void>) => Promise<boolean>
}

/**
 * Remembers the last 10 000 events, or `capacity`, in this process: for an app of one process whose work may be repeated
 * after a restart. Not core's cache: that runs Effects, which a receiver would load for this alone.
 */
export const memorySeenEvents = (capacity = 10_000): SeenEvents => {
  const handled = new Set<string>()
  const underWay = new Map<string, Promise<void>>()

  const remember = (eventId: string): void => {
    handled.add(eventId)
    // Sets keep their order: the first is the oldest.
    const [oldest] = handled.size > capacity ? handled : []
    if (oldest !== undefined) handled.delete(oldest)
  }

  return {
    once: async (eventId, work) => {
      for (let other = underWay.get(eventId); other; other = underWay.get(eventId)) await other.catch(() => undefined)
      if (handled.has(eventId)) return false
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
