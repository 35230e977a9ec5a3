export interface ServerSentEvent {
  readonly event?: string
  /** Browsers send it as `Last-Event-ID` when they reconnect. */
  readonly id?: string
  readonly data?: string
  /** Milliseconds until a browser reconnects. */
  readonly retryMs?: number
}

const encoder = new TextEncoder()

/**
 * Encodes an event (WHATWG HTML, 9.2), once for any number of readers.
 *
 * Only data can have several lines.
 */
export const encodeEvent = ({ event, id, data, retryMs }: ServerSentEvent): Uint8Array => {
  const lines = [
    ...(retryMs === undefined ? [] : [`retry: ${Math.round(retryMs)}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)),
  ]
  return encoder.encode(`${lines.join("\n")}\n\n`)
}

/**
 * Keeps proxies from ending a silent stream, and lets a page notice that its connection is dead. It is an event because
 * browsers hide comments from pages.
 */
const heartbeat: Uint8Array = encodeEvent({ event: "heartbeat", data: "1" })

/** One reader's stream. */
export interface EventStream {
  /** The body of the answer. */
  readonly body: ReadableStream<Uint8Array>
  /** Sends bytes, which many readers can share. Ends the stream with an error if the reader has too many unread bytes. */
  readonly send: (bytes: Uint8Array) => void
  /** Ends the stream after the bytes already sent. The reader can reconnect. */
  readonly end: () => void
}

/**
 * The status of a refused stream: 429 for a shared limit; 503 for the process's limit, after `dispose`, and for an aborted
 * signal.
 */
export type StreamRefusal = 429 | 503

/** A limit for streams with the same name, for example a company's. */
export interface SharedLimit {
  readonly name: string
  readonly maxOpen: number
}

/** The arguments of a new stream. */
export interface StreamOrder {
  readonly limits?: ReadonlyArray<SharedLimit>
  /** Ends the stream when its reader disconnects. Some servers cancel the body instead. */
  readonly signal: AbortSignal
  /** Called once, when either side closes the stream. */
  readonly onClosed: () => void
}

/** The event streams of one process. */
export interface EventStreams {
  readonly openCount: () => number
  /** Opens a stream, or returns the status of the refusal; 503 after `dispose`. */
  readonly open: (order: StreamOrder) => EventStream | StreamRefusal
  /** Ends every stream and the heartbeat. */
  readonly dispose: () => void
}

/** The limits of a process's streams. */
export interface StreamLimits {
  readonly maxOpen: number
  /** Milliseconds between `heartbeat` events; default: 15 s. Proxies end streams that are silent for 30 s to 60 s. */
  readonly heartbeatMs?: number
  /** Disposes of the streams when it aborts. */
  readonly until?: AbortSignal
}

/** The unread bytes that this process keeps for one reader. */
const maxUnreadBytes = 16 * 1_024

class OpenStream implements EventStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #onClosed: (stream: OpenStream) => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(onClosed: (stream: OpenStream) => void) {
    this.#onClosed = onClosed
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
    )
  }

  send(bytes: Uint8Array): void {
    const controller = this.#controller
    if (controller === undefined) return
    if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(bytes)
    // Waiting for the reader would keep all its unread bytes.
    this.#close()
    controller.error(new Error("the reader is too slow"))
  }

  end(): void {
    const controller = this.#controller
    this.#close()
    controller?.close()
  }

  #close(): void {
    if (this.#controller === undefined) return
    this.#controller = undefined
    this.#onClosed(this)
  }
}

/**
 * Streams of server-sent events for many readers.
 *
 * One timer sends all heartbeats.
 */
export const makeEventStreams = ({ maxOpen, heartbeatMs = 15_000, until }: StreamLimits): EventStreams => {
  const streams = new Set<OpenStream>()
  const counts = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | undefined
  let isDisposed = until?.aborted ?? false

  const beat = (): void => {
    for (const stream of streams) stream.send(heartbeat)
  }

  const stopTimerIfIdle = (): void => {
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const addToCount = (name: string, difference: 1 | -1): void => {
    const count = (counts.get(name) ?? 0) + difference
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }

  const dispose = (): void => {
    isDisposed = true
    until?.removeEventListener("abort", dispose)
    for (const stream of streams) stream.end()
  }
  until?.addEventListener("abort", dispose)

  return {
    openCount: () => streams.size,
    open: ({ limits = [], signal, onClosed }) => {
      if (limits.some((limit) => (counts.get(limit.name) ?? 0) >= limit.maxOpen)) return 429
      if (isDisposed || signal.aborted || streams.size >= maxOpen) return 503
      const leave = () => stream.end()
      const stream = new OpenStream((closed) => {
        streams.delete(closed)
        for (const { name } of limits) addToCount(name, -1)
        signal.removeEventListener("abort", leave)
        stopTimerIfIdle()
        onClosed()
      })
      streams.add(stream)
      for (const { name } of limits) addToCount(name, 1)
      signal.addEventListener("abort", leave)
      timer ??= setInterval(beat, heartbeatMs)
      timer.unref()
      return stream
    },
    dispose,
  }
}
