import { TaggedError } from "@pixcharge/core/internal"
import type * as Effect from "effect/Effect"

/** One POST to make. */
export interface Post {
  /** As the endpoint has it; the transport checks it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver's answer. */
export interface Answer {
  readonly status: number
  /** The `Retry-After` header, unparsed. */
  readonly retryAfter?: string
  /** The first kilobyte of the body, as text without control characters. */
  readonly head: string
}

/**
 * The answer was missing or incomplete; `reason` contains neither address nor data.
 *
 * @remedy None: the delivery is retried. `pix.events.attempts` lists how each attempt ended.
 * @repeat Yes, and it is.
 */
export class NoAnswer extends TaggedError("NoAnswer")<{ readonly reason: string }> {
  override get message(): string {
    return `The receiver gave no answer (${this.reason}); the delivery is retried.`
  }
}

/** Sends a POST to a receiver, unless the URL's text forbids it: `guardedFetch`, or the host's own fetch. */
export interface Transport {
  readonly send: (post: Post) => Effect.Effect<Answer, NoAnswer>
}

/** From the start of the name's resolution to the end of the handshake. */
export const connectLimitMs = 5_000

/** The whole of an attempt (decision 24). */
export const totalLimitMs = 15_000

/** The bytes read of an answer's body; `Pieces` limits its chunks. Only the status counts. */
export const answerLimitBytes = 64 * 1024

/** The bytes kept of an answer's body. */
const headLimitBytes = 1024

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** The first kilobyte of an answer as text, without control characters: logs and databases can't store these. */
export const readHead = (bytes: Uint8Array): string =>
  utf8.decode(bytes.subarray(0, headLimitBytes)).replaceAll(/(?![\n\t])\p{Cc}|\ufffd$/gu, "")
