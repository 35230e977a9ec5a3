import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { Pieces, readUpTo } from "@pixcharge/core/internal"
import * as Result from "effect/Result"
import type { Readable } from "node:stream"
import { exchangeFailures, type Failure } from "./wire/messages.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of a body's bytes; what is no UTF-8 is never repaired. */
export const decodeText = (bytes: Uint8Array): ExchangeBody => {
  try {
    return { _tag: "Text", text: utf8.decode(bytes) }
  } catch {
    return { _tag: "Unreadable", bytes }
  }
}

/** The text of a body that nobody has read yet, of a limited length in bytes. */
export const readBody = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const { bytes, isWhole } = await readUpTo(body, maxBytes)
    return isWhole ? decodeText(bytes) : { _tag: "TooLarge" }
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** The text of a body that another reader, as the host's own, reads or has read. */
export const readWholeBody = async (readWhole: () => Promise<ArrayBuffer>, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const bytes = new Uint8Array(await readWhole())
    return bytes.byteLength > maxBytes ? { _tag: "TooLarge" } : decodeText(bytes)
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** The refusal of a body by its declared encoding or length alone; undefined when it is to be read. */
export const refuseUnread = (exchange: Pick<Exchange, "header">, maxBytes: number): ExchangeBody | undefined => {
  const encoding = exchange.header("content-encoding")
  if (encoding !== undefined && encoding !== "" && encoding.toLowerCase() !== "identity") return { _tag: "Unsupported" }
  return Number(exchange.header("content-length")) > maxBytes ? { _tag: "TooLarge" } : undefined
}

/** What is left of a longer body is not read to its end, so that no other request can come after it. */
const maxUnreadBytes = 16 * 1_024

/** Whether too much of the body is unread for the connection to be used for another request; `body` is what was read of it. */
export const leavesUnread = (exchange: Pick<Exchange, "header">, body: ExchangeBody | undefined): boolean => {
  if (body !== undefined) return body._tag === "TooLarge"
  const length = exchange.header("content-length")
  return length === undefined ? exchange.header("transfer-encoding") !== undefined : Number(length) > maxUnreadBytes
}

/** Whether an answer of this status has a body and a length: a 204 and a 304 have neither (RFC 9110 §8.6). */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304

/**
 * The text of a body that nobody has read yet from a stream of Node's, of a limited length in bytes, and in pieces. The
 * stream is never destroyed, because that would destroy the socket, on which the answer is sent; the rest of a longer body stays
 * unread. One that the host has paused is set going; one that it has read to its end without a byte is empty.
 *
 * By events: the iterator of the same stream takes a fifth of the time of a whole request through Express.
 */
export const readStream = (stream: Readable, maxBytes: number): Promise<ExchangeBody> => {
  if (stream.readableEnded && !stream.readableDidRead) return Promise.resolve({ _tag: "Text", text: "" })
  // A stream that ended with an error stays silent, and one with an encoding has no bytes any more.
  if (stream.destroyed || stream.readableEncoding !== null) return Promise.resolve({ _tag: "Unreadable" })
  return new Promise((resolve) => {
    const pieces = new Pieces(maxBytes)
    let passed = 0
    const take = (piece: Uint8Array): void => {
      if (passed === 0) {
        if (pieces.add(piece)) return
        resolve({ _tag: "TooLarge" })
      }
      // What Node's parser has at hand comes all the same, and to let it by takes less than to keep it.
      passed += piece.byteLength
      if (passed > maxBytes) stream.off("data", take).pause()
    }
    const fail = (): void => resolve({ _tag: "Unreadable" })
    stream
      .on("data", take)
      .on("end", () => resolve(decodeText(pieces.join())))
      // The caller went away before the end; after it nobody hears this any more.
      .on("error", fail)
      .on("close", fail)
      // Listening alone doesn't set one going that the host has paused.
      .resume()
  })
}

/** A charge request is far smaller; a longer body is refused unread (decision 8). */
const maxBodyBytes = 16 * 1_024

const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const bodyFailures = {
  TooLarge: exchangeFailures.tooLarge,
  Unreadable: exchangeFailures.invalidJson,
  Unsupported: exchangeFailures.unsupportedMediaType,
}

/** What a parser of the host's refused; undefined if it refused nothing. */
export const findRefusal = ({ refusedBody }: Exchange): Failure | undefined =>
  refusedBody && bodyFailures[refusedBody._tag]

const parseBody = (body: ExchangeBody): Result.Result<unknown, Failure> => {
  if (body._tag === "Parsed") return Result.succeed(body.value)
  if (body._tag !== "Text") return Result.fail(bodyFailures[body._tag])
  try {
    return Result.succeed(JSON.parse(body.text))
  } catch {
    return Result.fail(exchangeFailures.invalidJson)
  }
}

/** The JSON value of a body, or what is wrong with it. A caller that names no media type means JSON. */
export const readJson = (exchange: Exchange): Promise<Result.Result<unknown, Failure>> => {
  const type = exchange.header("content-type") ?? ""
  if (type !== "" && !jsonMediaType.test(type.trim())) {
    return Promise.resolve(Result.fail(exchangeFailures.unsupportedMediaType))
  }
  return exchange.body(maxBodyBytes).then(parseBody, () => Result.fail(exchangeFailures.invalidJson))
}
