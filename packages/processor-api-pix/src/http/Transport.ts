import { readUpTo } from "@pixcharge/core/internal"
import { decodeBody } from "./decodeBody.ts"
import { makeUnanswered } from "./PspUnanswered.ts"

/** One HTTP call as plain data. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One HTTP answer as plain data; its body is text of at most 8 MiB, decompressed. */
export interface HttpAnswer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter?: string
  /** The `Date` header as it came. */
  readonly date?: string
  readonly text: string
}

/** Sends one request. Rejects when there is no whole answer; an abort ends the call at once. */
export interface Transport {
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
  readonly close: () => void
}

/** A page of a thousand payments with all their returns stays well below it. */
const maxAnswerBytes = 8 * 1024 * 1024

const utf8 = new TextDecoder()

/** What every request asks for; some servers compress their answers all the same. */
export const unencoded = { "accept-encoding": "identity" } as const

/**
 * The text of an answer's body, without its `Content-Encoding`. Rejects for one of more than 8 MiB, before or after that, for
 * one in more pieces than `Pieces` takes, and for one that breaks off.
 */
export const readText = async (body: AsyncIterable<Uint8Array> | null, contentEncoding = ""): Promise<string> => {
  const { bytes, isWhole } = await readUpTo(body, maxAnswerBytes)
  if (!isWhole) throw makeUnanswered("the answer is too large, or in too many pieces")
  return utf8.decode(await decodeBody(bytes, contentEncoding, maxAnswerBytes))
}
