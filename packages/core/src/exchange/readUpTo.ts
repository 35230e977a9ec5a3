/** What was read of a body. */
export interface BytesRead {
  readonly bytes: Uint8Array
  /** False: the body is longer than the limit, and `bytes` are its beginning, longer than the limit. */
  readonly isWhole: boolean
}

const concatenate = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/**
 * Reads a body until it ends or turns out to be longer than the limit; then the rest of it is cancelled. Null is an empty
 * body. Rejects with the error of a body that breaks off.
 */
export const readUpTo = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<BytesRead> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > maxBytes) break
  }
  const [only] = chunks
  return { bytes: chunks.length === 1 && only ? only : concatenate(chunks, size), isWhole: size <= maxBytes }
}
