import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readBody, refuseUnread, decodeText } from "./exchangeBody.ts"
import { pathAndQuery } from "./pathAndQuery.ts"

const readWholeBody = async (readWhole: () => Promise<ArrayBuffer>, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const bytes = new Uint8Array(await readWhole())
    return bytes.byteLength > maxBytes ? { _tag: "TooLarge" } : decodeText(bytes)
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** What is left of a longer body is not read to its end, so that no other request can come after it. */
const maxUnreadBytes = 16 * 1_024

/**
 * A web `Request` as an exchange; `url` is what the mount's prefix leaves of its path. `readWhole` is a framework's own
 * reader, which also has the bodies that the host's middleware read before; `address` is who calls, if it is known;
 * `frameworkRequest` is the framework's own, if it has one. A class, as `ExpressExchange` is.
 */
export class WebExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly address: string | undefined
  readonly frameworkRequest: unknown
  readonly #request: Request
  readonly #readWhole: (() => Promise<ArrayBuffer>) | undefined
  #body: ExchangeBody | undefined

  constructor(
    request: Request,
    url: string,
    readWhole?: () => Promise<ArrayBuffer>,
    address?: string,
    frameworkRequest: unknown = request,
  ) {
    this.method = request.method
    this.url = url
    this.address = address
    this.frameworkRequest = frameworkRequest
    this.#request = request
    this.#readWhole = readWhole
  }

  get fullUrl(): string {
    return pathAndQuery(this.#request.url)
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const refused = refuseUnread(this, maxBytes)
    if (refused !== undefined) return refused
    // Only a body of undeclared length needs counting while it arrives.
    const isBounded = this.header("content-length") !== undefined || this.#request.bodyUsed
    this.#body = await (this.#readWhole !== undefined && isBounded
      ? readWholeBody(this.#readWhole, maxBytes)
      : readBody(this.#request.body, maxBytes))
    return this.#body
  }

  /** Whether too much of the body is unread for the connection to be used for another request. */
  get hasUnreadBody(): boolean {
    if (this.#body !== undefined) return this.#body._tag === "TooLarge"
    const length = this.header("content-length")
    const isLong =
      length === undefined ? this.header("transfer-encoding") !== undefined : Number(length) > maxUnreadBytes
    return isLong && !this.#request.bodyUsed
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}
