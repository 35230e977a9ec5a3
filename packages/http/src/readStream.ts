import type { ExchangeBody } from "@pixcharge/core"
import { Pieces } from "@pixcharge/core/internal"
import type { Readable } from "node:stream"
import { decodeText } from "./exchangeBody.ts"

/**
 * The text of a body that nobody has read yet from a stream of Node's, of a limited length in bytes, and in pieces. The
 * stream is never destroyed, for that would destroy the socket, on which the answer is sent; the rest of a longer body stays
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
