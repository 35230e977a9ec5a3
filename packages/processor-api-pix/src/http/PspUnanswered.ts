import { CausedError } from "@pixcharge/core/internal"

/**
 * No usable answer came, so that nobody knows whether the call was carried out. It holds no secret.
 *
 * @remedy None of its own: it is the cause of a `ProcessorUnavailable`.
 * @repeat Yes.
 */
export class PspUnanswered extends CausedError("PspUnanswered")<{
  readonly cause: unknown
  /** Whether the same call may succeed if it is retried at once. */
  readonly mayRetry: boolean
  /** How long the bank asks to wait, in milliseconds. */
  readonly retryAfterMs?: number
  /** The call was certainly not carried out: it was not sent, or the bank refused it unread (429). */
  readonly isNotExecuted?: true
}> {
  override get message(): string {
    return `The bank gave no usable answer, and ${this.isNotExecuted ? "did not act" : "may have acted"}: the same call may be made again.`
  }
}

/** The call is not sent now; `retryAfterMs` says when it may be. */
export const failNotSent = (cause: string, retryAfterMs: number): PspUnanswered =>
  new PspUnanswered({ cause, mayRetry: false, retryAfterMs, isNotExecuted: true })

/** No usable answer came, for this reason. */
export const makeUnanswered = (cause: unknown, mayRetry = true) => new PspUnanswered({ cause, mayRetry })
