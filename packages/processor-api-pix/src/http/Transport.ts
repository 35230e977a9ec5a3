/** One HTTP call as plain data. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One HTTP answer as plain data; its body is text of at most `largestAnswer` bytes. */
export interface HttpAnswer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter?: string
  readonly text: string
}

/** A page of a thousand payments with all their returns stays well below it. */
export const largestAnswer = 8 * 1024 * 1024

/** Sends one request. Rejects when there is no whole answer; an abort ends the call at once. */
export interface Transport {
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
  readonly close: () => void
}
