import { TaggedError } from "@pixcharge/core/internal"
import type * as Effect from "effect/Effect"

export interface Post {
  /** The endpoint's URL, which isn't checked yet. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answer {
  readonly status: number
  /** The `Retry-After` header as it arrived. */
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

/** Sends a POST to a receiver, unless the policy forbids the URL. */
export interface Transport {
  readonly send: (post: Post) => Effect.Effect<Answer, NoAnswer>
}

/** With the look-up of the name and the handshake. */
export const connectLimitMs = 5_000

/** The time limit of a whole attempt (decision 24). */
export const totalLimitMs = 15_000

/** Only the status of an answer counts. `Pieces` limits the number of chunks. */
export const answerLimitBytes = 64 * 1024

const headLimitBytes = 1024

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** Control characters are removed, because logs and databases can't store them. */
export const readHead = (bytes: Uint8Array): string =>
  utf8.decode(bytes.subarray(0, headLimitBytes)).replaceAll(/(?![\n\t])\p{Cc}|\ufffd$/gu, "")
