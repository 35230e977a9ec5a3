import { setTimeout as pause } from "node:timers/promises"

/** The delay after which a browser reconnects a broken stream. */
const reopenMs = 1_000

/** The states that show that the charge was paid. If it is refunded immediately, the page never shows `pago`. */
const afterPayment = new Set(["pago", "devolvendo", "devolvido"])

const makeMoment = () => {
  let happen = (): void => undefined
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happen: () => happen(), happened }
}

/** A payer's open page. It follows the charge's state until closed, and reconnects a broken stream. */
export class Page {
  readonly #closing = new AbortController()
  readonly #showing = makeMoment()
  readonly #paying = makeMoment()
  readonly shown = this.#showing.happened
  readonly paid = this.#paying.happened
  #isFinal = false

  open(findUrl: () => Promise<string>): void {
    void this.#follow(findUrl)
  }

  close(): void {
    this.#closing.abort()
  }

  get #isOver(): boolean {
    return this.#closing.signal.aborted || this.#isFinal
  }

  async #follow(findUrl: () => Promise<string>): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#read(await findUrl())
      } catch {
        // The stream broke, or the page was closed.
      }
      if (!this.#isOver) await pause(reopenMs)
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
    this.#showing.happen()
    if (afterPayment.has(status)) this.#paying.happen()
    if (event.includes('"final":true')) this.#isFinal = true
  }
}
