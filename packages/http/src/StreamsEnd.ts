import * as Context from "effect/Context"

/**
 * Ends the streams of open pages when it aborts. By default it never does.
 *
 * A server that closes waits for its open streams. `pix.endStreams` aborts that of `createPix`; a host in Effect provides its own
 * to `pixLayer`.
 *
 * @example
 * Layer.provide(PixLive, Layer.succeed(StreamsEnd, ending.signal))
 */
export const StreamsEnd: Context.Reference<AbortSignal> = Context.Reference("@pixcharge/http/StreamsEnd", {
  defaultValue: () => new AbortController().signal,
})
