import type { ErrorCode } from "./bodies.ts"

export interface Failure {
  readonly message: string
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly isTransient: boolean
  readonly cause?: unknown
}

/** Every failure of a call, except an abort, which rejects with the caller's `signal.reason`. */
export class PixClientError extends Error {
  override readonly name = "PixClientError"
  /** The answer's HTTP status; undefined without a readable answer. */
  readonly status: number | undefined
  /** The cause as a code. It is also undefined if a browser can't read the header `Pix-Erro` of another origin. */
  // oxlint-disable-next-line typescript/ban-types -- keeps the known codes for the editor, and takes those of newer services
  readonly code: ErrorCode | (string & {}) | undefined
  /** The wait that the service asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Whether the same call can succeed later: true if no answer came, or after 429, 502, 503 or 504. */
  readonly isTransient: boolean

  constructor({ message, status, code, retryAfterMs, isTransient, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.isTransient = isTransient
  }
}
