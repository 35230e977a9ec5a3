import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { Pieces, readUpTo } from "@pixcharge/core/internal/exchange"
import type { Readable } from "node:stream"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Decodes UTF-8; `Unreadable` for invalid bytes. */
export const decodeText = (bytes: Uint8Array): ExchangeBody => {
  try {
    return { _tag: "Text", text: utf8.decode(bytes) }
  } catch {
    return { _tag: "Unreadable", bytes }
  }
}

export const readBody = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const { bytes, isWhole } = await readUpTo(body, maxBytes)
    return isWhole ? decodeText(bytes) : { _tag: "TooLarge" }
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** Works even if the host has already read the body. */
export const readWholeBody = async (readWhole: () => Promise<ArrayBuffer>, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const bytes = new Uint8Array(await readWhole())
    return bytes.byteLength > maxBytes ? { _tag: "TooLarge" } : decodeText(bytes)
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** By its declared encoding or length; undefined if it must be read. */
export const refuseUnread = (exchange: Pick<Exchange, "header">, maxBytes: number): ExchangeBody | undefined => {
  const encoding = exchange.header("content-encoding")
  if (encoding !== undefined && encoding !== "" && encoding.toLowerCase() !== "identity") return { _tag: "Unsupported" }
  return Number(exchange.header("content-length")) > maxBytes ? { _tag: "TooLarge" } : undefined
}

/** With more unread bytes than this, the connection isn't reused. */
const maxUnreadBytes = 16 * 1_024

/** Whether too much is unread to reuse the connection. `body` is the part that was read. */
export const leavesUnread = (exchange: Pick<Exchange, "header">, body: ExchangeBody | undefined): boolean => {
  if (body !== undefined) return body._tag === "TooLarge"
  const length = exchange.header("content-length")
  return length === undefined ? exchange.header("transfer-encoding") !== undefined : Number(length) > maxUnreadBytes
}

/** 204 and 304 have neither body nor length (RFC 9110 §8.6). */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304

const limitMs = 30_000

/**
 * Reads an unread body from a Node stream, up to `maxBytes` and for 30 s at most, and leaves the rest unread.
 *
 * Never destroys the stream, because that would destroy the socket that sends the answer. Resumes a paused stream. A stream
 * that ended without a byte is an empty body.
 *
 * Uses events, because an async iterator takes a fifth of a request's time through Express.
 */
export const readStream = (stream: Readable, maxBytes: number): Promise<ExchangeBody> => {
  if (stream.readableEnded && !stream.readableDidRead) return Promise.resolve({ _tag: "Text", text: "" })
  // A stream that ended with an error emits no more events. A stream with an encoding emits no bytes.
  if (stream.destroyed || stream.readableEncoding !== null) return Promise.resolve({ _tag: "Unreadable" })
  return new Promise((settle) => {
    const resolve = (body: ExchangeBody): void => {
      clearTimeout(timer)
      settle(body)
    }
    const fail = (): void => resolve({ _tag: "Unreadable" })
    const timer = setTimeout(fail, limitMs)
    const pieces = new Pieces(maxBytes)
    let droppedBytes = 0
    const take = (piece: Uint8Array): void => {
      if (droppedBytes === 0) {
        if (pieces.add(piece)) return
        resolve({ _tag: "TooLarge" })
      }
      // Drops the next `maxBytes` of the rest, which usually arrive anyway, and then pauses the stream.
      droppedBytes += piece.byteLength
      if (droppedBytes > maxBytes) stream.off("data", take).pause()
    }
    stream
      .on("data", take)
      .on("end", () => resolve(decodeText(pieces.join())))
      .on("error", fail)
      .on("close", fail)
      // A listener alone doesn't resume a paused stream.
      .resume()
  })
}
