import { encodeEvent, type EventStream } from "@pixcharge/web"

/** A stream ends after this time: the browser opens another, and the host looks at a fresh request. */
const maxStreamMs = 5 * 60_000
/** How often the host is asked whether the operator may still see the page. */
const checkEveryMs = 30_000

const now = (): number => performance.now()

/** Who reads an open page. */
export interface LiveReader {
  readonly company: string
  /** Operators are counted by this name. */
  readonly operator: string
  /** The version that the page shows. */
  readonly version: string
  /** Whether the operator may still see the page. */
  readonly mayRead: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** An open page. Its stream ends after a time and with the operator's right, however its look-ups go. */
export class OpenPage {
  readonly company: string
  readonly #mayRead: () => Promise<boolean>
  readonly #stream: EventStream
  readonly #until = now() + maxStreamMs
  #version: string
  #checkAt = now() + checkEveryMs

  constructor({ company, version, mayRead }: LiveReader, stream: EventStream) {
    this.company = company
    this.#version = version
    this.#mayRead = mayRead
    this.#stream = stream
  }

  /** Ends the stream if its time is over, and checks the operator's right if that is due. */
  keep(): void {
    if (this.#until <= now()) this.end()
    else if (this.#checkAt <= now()) void this.#check()
  }

  /** Sends another version than the page's, to an operator who may still see the page. */
  async tell(version: string): Promise<void> {
    if (version === this.#version) return
    this.#version = version
    if (await this.#check()) this.#stream.send(encodeEvent({ event: "news", data: version }))
  }

  end(): void {
    this.#stream.end()
  }

  async #check(): Promise<boolean> {
    this.#checkAt = now() + checkEveryMs
    const mayRead = await this.#mayRead().catch(() => false)
    if (!mayRead) this.end()
    return mayRead
  }
}
