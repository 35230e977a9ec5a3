import { randomUUID } from "node:crypto"

/** What a page says about the action before it. */
export interface Notice {
  readonly tone: "good" | "warn" | "bad" | "info"
  readonly text: string
}

const maxKept = 50

/** Notices that wait for the page after a redirect, which names them. */
export class Notices {
  readonly #kept = new Map<string, Notice>()

  /** Keeps a notice, and returns its name. */
  keep(notice: Notice): string {
    const name = randomUUID()
    this.#kept.set(name, notice)
    const [oldest = ""] = this.#kept.keys()
    if (this.#kept.size > maxKept) this.#kept.delete(oldest)
    return name
  }

  find(name: string | null): Notice | undefined {
    return this.#kept.get(name ?? "")
  }
}
