import * as Context from "effect/Context"

/**
 * A signal that ends the streams of open pages when it aborts. By default it never aborts.
 *
 * A closing server waits for its open streams. `createPix` provides a signal that `pix.endStreams` aborts; a host in Effect
 * provides its own to `pixLayer`.
 *
 * @example
 * Layer.provide(PixLive, Layer.succeed(StreamsEnd, ending.signal))
 */
export const StreamsEnd: Context.Reference<AbortSignal> = Context.Reference("@pixcharge/http/StreamsEnd", {
  defaultValue: () => new AbortController().signal,
})
