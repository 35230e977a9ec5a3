import type { ExchangeBody } from "@pixcharge/core"
import { Buffer } from "node:buffer"
import type { Readable } from "node:stream"
import { textBody } from "./exchangeBody.ts"

/**
 * The text of a body that nobody has read yet from a stream of Node's, of a limited length in bytes. The stream is never
 * destroyed, for that would destroy the socket, on which the answer is sent; the rest of a longer body stays unread. One that
 * the host has paused is set going; one that it has read to its end without a byte is empty.
 *
 * By events: the iterator of the same stream takes a fifth of the time of a whole request through Express.
 */
export const readStream = (stream: Readable, maxBytes: number): Promise<ExchangeBody> => {
  if (stream.readableEnded && !stream.readableDidRead) return Promise.resolve({ _tag: "Text", text: "" })
  // One that has ended by an error is silent for ever, and one with an encoding has no bytes any more.
  if (stream.destroyed || stream.readableEncoding !== null) return Promise.resolve({ _tag: "Unreadable" })
  return new Promise((resolve) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size <= maxBytes) return
      stream.off("data", take).pause()
      resolve({ _tag: "TooLarge" })
    }
    const breakOff = (): void => resolve({ _tag: "Unreadable" })
    stream
      .on("data", take)
      .on("end", () => resolve(textBody(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size))))
      // Whoever goes away before the end; after it nobody hears this any more.
      .on("error", breakOff)
      .on("close", breakOff)
      // Listening alone doesn't set one going that the host has paused.
      .resume()
  })
}
