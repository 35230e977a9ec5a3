import { closeSync, openSync, readSync, writeSync } from "node:fs"

const size = 8

/**
 * By how many milliseconds business time has leapt, in a file that every process reads: one that was suspended knows the time
 * as soon as it goes on, before it reads what it was sent meanwhile, as on a machine of its own.
 */
export class Leaps {
  readonly #file: number
  /** As last read. */
  readonly #bytes = Buffer.alloc(size)
  #isClosed = false

  private constructor(file: number) {
    this.#file = file
  }

  /** Begins with none, in a new file. */
  static make(path: string): Leaps {
    return new Leaps(openSync(path, "w+"))
  }

  static open(path: string): Leaps {
    return new Leaps(openSync(path, "r"))
  }

  get ms(): number {
    // Of a new file nothing is read: none.
    if (!this.#isClosed) readSync(this.#file, this.#bytes, 0, size, 0)
    return this.#bytes.readDoubleLE()
  }

  add(ms: number): void {
    this.#bytes.writeDoubleLE(this.ms + ms)
    writeSync(this.#file, this.#bytes, 0, size, 0)
  }

  /** From now on there are none. */
  close(): void {
    this.#isClosed = true
    closeSync(this.#file)
  }
}
