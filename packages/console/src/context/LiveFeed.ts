import type { Exchange, Reply } from "@pixcharge/core"
import { encodeEvent, type EventStream, type EventStreams, makeEventStreams, securityHeaders } from "@pixcharge/web"

const maxOpen = 20

const opening = encodeEvent({ retryMs: 1_000 })

export class LiveFeed {
  readonly #streams: EventStreams
  readonly #readers = new Set<EventStream>()

  constructor(until: AbortSignal) {
    this.#streams = makeEventStreams({ maxOpen, until })
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0
  }

  send(text: string): void {
    const bytes = encodeEvent({ event: "news", data: text })
    for (const reader of this.#readers) reader.send(bytes)
  }

  open({ signal }: Exchange): Reply {
    const stream = this.#streams.open({ signal, onClosed: () => void this.#readers.delete(stream as EventStream) })
    if (typeof stream === "number")
      return { status: stream, headers: { ...securityHeaders, "retry-after": "10" }, body: "" }
    this.#readers.add(stream)
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
  }
}
