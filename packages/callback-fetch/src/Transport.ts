import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** One POST to be made. */
export interface Post {
  /** As the endpoint has it: the transport checks it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came back, in full or up to `answerLimit`. */
export interface Answer {
  readonly status: number
  readonly retryAfter?: string
  /** The first kilobyte of the body. */
  readonly head: string
}

/** No answer came, or not all of it; `reason` names neither address nor data. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly reason: string }> {}

/** Carries a POST to a receiver, unless the URL's text forbids it: `guardedFetch`, or a fetch of the host's own. */
export interface Transport {
  readonly send: (post: Post) => Effect.Effect<Answer, NoAnswer>
}

/** From the first byte of the name's resolution to the end of the handshake. */
export const connectLimitMs = 5_000

/** The whole of an attempt (decision 24). */
export const totalLimitMs = 15_000

/** A receiver has nothing to tell us: what it says beyond this is cut off, and its status counts. */
export const answerLimit = 64 * 1024

const headLimit = 1024

/** The first kilobyte of an answer as text, without control characters, which logs and databases can't take. */
export const headOf = (chunks: ReadonlyArray<Uint8Array>): string => {
  const bytes = Buffer.concat(chunks).subarray(0, headLimit)
  return bytes.toString("utf8").replaceAll(/(?![\n\t])\p{Cc}|\ufffd+$/gu, "")
}
