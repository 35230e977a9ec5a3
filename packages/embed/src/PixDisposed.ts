import { TaggedError } from "@pixcharge/core/internal"

/**
 * The instance was disposed of, and can't be used any more.
 *
 * @remedy Make a new one by `createPix(options)`, or call `dispose()` where nothing uses it any more.
 * @repeat No.
 */
export class PixDisposed extends TaggedError("PixDisposed")<{}> {
  override get message(): string {
    return "This pixcharge has ended, because dispose() was called: make a new one by createPix(options)."
  }
}
