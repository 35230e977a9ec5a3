import * as Data from "effect/Data"

/** The instance was disposed of, and can't be used any more. */
export class PixDisposed extends Data.TaggedError("PixDisposed")<{}> {
  override get message(): string {
    return "this pixcharge has ended, because dispose() was called; a new one is made by createPix(options)"
  }
}
