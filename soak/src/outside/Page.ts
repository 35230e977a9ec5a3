import { setTimeout as pause } from "node:timers/promises"

/** A browser comes back so long after its stream broke. */
const reopenMs = 1_000

/** A payer's open page: follows the charge's state until it is closed, and comes back when its stream breaks. */
export class Page {
  readonly #closing = new AbortController()
  readonly #awaited = new Map<string, () => void>()
  readonly #seen = new Set<string>()
  /** How often a stream ended before its time. */
  breaks = 0

  /** Opens it; the address is asked for until there is one. */
  open(findUrl: () => Promise<string>): void {
    void this.#follow(findUrl)
  }

  /** Resolves once the page shows this state, or any. */
  shows(status?: "pago"): Promise<void> {
    if (status === undefined ? this.#seen.size > 0 : this.#seen.has(status)) return Promise.resolve()
    return new Promise((resolve) => this.#awaited.set(status ?? "any", resolve))
  }

  close(): void {
    this.#closing.abort()
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async #follow(findUrl: () => Promise<string>): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#read(await findUrl())
      } catch {
        // The stream broke, or the page was closed.
      }
      if (this.#isClosed || this.#seen.has("final")) return
      this.breaks += 1
      await pause(reopenMs)
    }
  }

  async #read(url: string): Promise<void> {
    const headers = { accept: "text/event-stream" }
    const response = await fetch(`${url}/estado`, { headers, signal: this.#closing.signal })
    const text = new TextDecoder()
    let rest = ""
    for await (const chunk of response.body ?? []) {
      const events = (rest + text.decode(chunk as Uint8Array, { stream: true })).split("\n\n")
      rest = events.pop() ?? ""
      for (const event of events) this.#note(event)
    }
  }

  #note(event: string): void {
    const status = /"status":"(\w+)"/.exec(event)?.[1]
    if (status === undefined) return
    this.#seen.add(status)
    if (event.includes('"final":true')) this.#seen.add("final")
    for (const awaited of ["any", status]) {
      this.#awaited.get(awaited)?.()
      this.#awaited.delete(awaited)
    }
  }
}
