/** What a stream holds; no more of it is read once it has more than the limit, in bytes. */
export const readUpTo = async (
  limit: number,
  body: ReadableStream<Uint8Array> | null,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop cancels the stream.
    if (size > limit) break
  }
  return { bytes: Buffer.concat(chunks), isWhole: size <= limit }
}
