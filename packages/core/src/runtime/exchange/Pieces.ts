/** What a client may write in, one token of JSON after the other. */
const maxPieces = 256
/** Beyond those there is one more for each of this number of bytes: a segment of TCP has more than five hundred. */
const minPieceBytes = 64

/**
 * The pieces in which something comes in from outside, up to a limit in bytes, and in number: however small a piece is, it
 * costs its reader microseconds, and a sender of one byte in each may send them for the price of the bytes.
 */
export class Pieces {
  readonly #maxBytes: number
  readonly #kept: Array<Uint8Array> = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Keeps one more; false once there is more than may be, and nothing further should be read. */
  add(piece: Uint8Array): boolean {
    this.#kept.push(piece)
    this.#size += piece.byteLength
    return this.#size <= this.#maxBytes && this.#kept.length <= maxPieces + this.#size / minPieceBytes
  }

  /** All of them as one; a single piece as it is. */
  join(): Uint8Array {
    const [only] = this.#kept
    if (this.#kept.length === 1 && only !== undefined) return only
    const bytes = new Uint8Array(this.#size)
    let offset = 0
    for (const piece of this.#kept) {
      bytes.set(piece, offset)
      offset += piece.byteLength
    }
    return bytes
  }
}
