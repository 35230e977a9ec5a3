import * as Data from "effect/Data"

/** No usable answer came, so that nobody knows whether the call was carried out. It holds no secret. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly cause: unknown
  /** Whether the same call may succeed if it is retried at once. */
  readonly mayRetry: boolean
  /** How long the bank asks to wait, in milliseconds. */
  readonly retryAfterMs?: number
  /** The call was certainly not carried out: it was not sent, or the bank refused it unread (429). */
  readonly isNotExecuted?: true
}> {}

/** The call is not sent now; `retryAfterMs` says when it may be. */
export const notSent = (cause: string, retryAfterMs: number): NoAnswer =>
  new NoAnswer({ cause, mayRetry: false, retryAfterMs, isNotExecuted: true })
