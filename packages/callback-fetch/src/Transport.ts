import { TaggedError } from "@pixcharge/core/internal"
import type * as Effect from "effect/Effect"

/** One POST to be made. */
export interface Post {
  /** As the endpoint has it: the transport checks it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver's answer. */
export interface Answer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter?: string
  /** The first kilobyte of the body, as text without control characters. */
  readonly head: string
}

/**
 * No answer came, or not all of it; `reason` names neither address nor data.
 *
 * @remedy None: the delivery is retried. `pix.events.attempts` lists how each attempt ended.
 * @repeat Yes, and it is.
 */
export class NoAnswer extends TaggedError("NoAnswer")<{ readonly reason: string }> {
  override get message(): string {
    return `The receiver gave no answer (${this.reason}); the delivery is retried.`
  }
}

/** Carries a POST to a receiver, unless the URL's text forbids it: `guardedFetch`, or a fetch of the host's own. */
export interface Transport {
  readonly send: (post: Post) => Effect.Effect<Answer, NoAnswer>
}

/** From the first byte of the name's resolution to the end of the handshake. */
export const connectLimitMs = 5_000

/** The whole of an attempt (decision 24). */
export const totalLimitMs = 15_000

/** No more than this is read of an answer's body, nor more pieces than `Pieces` takes: only its status counts. */
export const answerLimitBytes = 64 * 1024

/** What is kept of an answer's body. */
const headLimitBytes = 1024

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** The first kilobyte of an answer as text, without control characters, which logs and databases can't take. */
export const readHead = (bytes: Uint8Array): string =>
  utf8.decode(bytes.subarray(0, headLimitBytes)).replaceAll(/(?![\n\t])\p{Cc}|\ufffd$/gu, "")
