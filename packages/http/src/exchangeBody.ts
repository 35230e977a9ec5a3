import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readUpTo } from "@pixcharge/core/internal"

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
