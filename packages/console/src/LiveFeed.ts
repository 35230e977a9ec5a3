import type { Exchange, Reply } from "@pixcharge/core"
import { encodeEvent, type EventStream, makeEventStreams, securityHeaders } from "@pixcharge/web"

/** Sends news to open pages. */
export interface LiveFeed {
  /** What happened, in a sentence for the page's status line. */
  readonly send: (text: string) => void
  /** Opens the stream of one page. */
  readonly open: (exchange: Exchange) => Reply
  readonly dispose: () => void
}

/** No developer has more pages open. */
const maxOpen = 20

const opening = encodeEvent({ retryMs: 1_000 })

/** Makes a feed without readers. */
export const makeLiveFeed = (): LiveFeed => {
  const streams = makeEventStreams({ maxOpen })
  const readers = new Set<EventStream>()
  return {
    send: (text) => {
      const bytes = encodeEvent({ event: "news", data: text })
      for (const reader of readers) reader.send(bytes)
    },
    open: ({ signal }) => {
      const stream = streams.open({ signal, onClosed: () => void readers.delete(stream as EventStream) })
      if (stream === undefined) return { status: 503, headers: { ...securityHeaders, "retry-after": "10" }, body: "" }
      readers.add(stream)
      stream.send(opening)
      return {
        status: 200,
        headers: {
          ...securityHeaders,
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store, no-transform",
          "x-accel-buffering": "no",
        },
        body: stream.body,
      }
    },
    dispose: streams.dispose,
  }
}
