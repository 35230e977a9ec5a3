/** Parts one direction of a connection into Postgres's messages. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)
  /** A client's first message has no type. */
  #isTyped: boolean

  constructor(side: "client" | "server") {
    this.#isTyped = side === "server"
  }

  /** The messages that are complete now. */
  read(chunk: Buffer): ReadonlyArray<Buffer> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const frames: Array<Buffer> = []
    for (;;) {
      const head = this.#isTyped ? 1 : 0
      if (this.#rest.length < head + 4) return frames
      const length = head + this.#rest.readInt32BE(head)
      if (this.#rest.length < length) return frames
      frames.push(this.#rest.subarray(0, length))
      this.#rest = this.#rest.subarray(length)
      this.#isTyped = true
    }
  }
}

/** The message's type, such as `P` for Parse. */
export const frameType = (frame: Buffer): string => String.fromCharCode(frame[0] ?? 0)

/** Two texts at the beginning of a Parse (name, statement) or of a Bind (portal, name). */
export const twoTexts = (frame: Buffer): readonly [string, string] => {
  const [first = "", second = ""] = frame.subarray(5).toString("utf8").split("\0", 2)
  return [first, second]
}
