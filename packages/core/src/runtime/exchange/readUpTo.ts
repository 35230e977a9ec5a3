import { Pieces } from "./Pieces.ts"

/** What was read of a body. */
export interface BytesRead {
  readonly bytes: Uint8Array
  /** False: the body is longer than the limit, or in more pieces than `Pieces` takes, and `bytes` are its beginning. */
  readonly isWhole: boolean
}

/**
 * Reads a body until it ends or turns out to be longer than the limit, or in too many pieces; then the rest of it is
 * cancelled. Null is an empty body. Rejects with the error of a body that breaks off.
 */
export const readUpTo = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<BytesRead> => {
  const pieces = new Pieces(maxBytes)
  for await (const piece of body ?? []) {
    // Leaving the loop cancels the stream.
    if (!pieces.add(piece)) return { bytes: pieces.join(), isWhole: false }
  }
  return { bytes: pieces.join(), isWhole: true }
}
