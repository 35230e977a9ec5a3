/** Enough for a client that writes JSON token by token. */
const maxPieces = 256
/** Beyond those, one piece more for this many bytes: a segment of TCP has more than five hundred. */
const minPieceBytes = 64

/**
 * Collects the pieces of a body, up to a limit in bytes and in number: a piece costs its reader microseconds however small it
 * is, and a sender of one-byte pieces pays for the bytes alone.
 */
export class Pieces {
  readonly #maxBytes: number
  readonly #kept: Array<Uint8Array> = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds a piece. Returns false once a limit is exceeded: nothing more should be read. */
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
