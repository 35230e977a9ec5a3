import { randomUUID } from "node:crypto"

/** What a page says about the action before it. */
export interface Notice {
  readonly tone: "good" | "warn" | "bad" | "info"
  readonly text: string
}

/** Notices that wait for the page after a redirect, which names them. */
export interface Notices {
  /** Keeps a notice, and returns its name. */
  readonly keep: (notice: Notice) => string
  readonly find: (name: string | null) => Notice | undefined
}

const maxKept = 50

/** Makes the store of notices: the newest are kept. */
export const makeNotices = (): Notices => {
  const kept = new Map<string, Notice>()
  return {
    keep: (notice) => {
      const name = randomUUID()
      kept.set(name, notice)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break
        kept.delete(oldest)
      }
      return name
    },
    find: (name) => (name === null ? undefined : kept.get(name)),
  }
}
