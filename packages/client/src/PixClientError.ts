import type { ErrorCode } from "./bodies.ts"

/** The facts of a failure. */
export interface Failure {
  readonly message: string
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly isTransient: boolean
  readonly cause?: unknown
}

/** Every failure of a call; the only other error is `signal.reason`, if the caller aborted it. */
export class PixClientError extends Error {
  override readonly name = "PixClientError"
  /** The answer's HTTP status; undefined if there was no answer, or an unreadable one. */
  readonly status: number | undefined
  /** The cause, for programs. Also undefined if a browser can't read the header `Pix-Erro` of another origin. */
  // oxlint-disable-next-line typescript/ban-types -- keeps the known codes for the editor, and takes those of newer services
  readonly code: ErrorCode | (string & {}) | undefined
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Whether the same call can succeed later: after no answer, or 429, 502, 503 or 504. */
  readonly isTransient: boolean

  constructor({ message, status, code, retryAfterMs, isTransient, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.isTransient = isTransient
  }
}
