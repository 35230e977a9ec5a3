import { heartbeat } from "./encodeEvent.ts"

/** One reader's stream. */
export interface EventStream {
  /** The body of the answer. */
  readonly body: ReadableStream<Uint8Array>
  /** Sends bytes, which many readers may share; a reader that has left too much unread is cut off instead. */
  readonly send: (bytes: Uint8Array) => void
  /** Ends the stream after what was sent; the reader may come back. */
  readonly end: () => void
}

/** How a stream is opened. */
export interface StreamOrder {
  /** Ends the stream once its reader has gone; some servers tell it by the body alone. */
  readonly signal: AbortSignal
  /** Called once, when the stream is closed, whoever closed it. */
  readonly onClosed: () => void
}

/** The event streams of one process. */
export interface EventStreams {
  /** How many are open. */
  readonly openCount: () => number
  /** A new stream; undefined while as many are open as may be, and after `dispose`. */
  readonly open: (order: StreamOrder) => EventStream | undefined
  /** Ends every stream, and the heartbeat. */
  readonly dispose: () => void
}

/** How many streams there may be. */
export interface StreamLimits {
  readonly maxOpen: number
  /** How often a stream is sent an event `heartbeat`; default: 15 s. Proxies end what is quiet for 30 s to 60 s. */
  readonly heartbeatMs?: number
}

/** What may wait in this process for one reader. What is on its way in sockets comes on top. */
const mostUnreadBytes = 16 * 1_024

/** A class, for there are thousands. */
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
      new ByteLengthQueuingStrategy({ highWaterMark: mostUnreadBytes }),
    )
  }

  send(bytes: Uint8Array): void {
    const controller = this.#controller
    if (controller === undefined) return
    if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(bytes)
    // Its connection is broken off: to wait for it would keep all that it has not read.
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
 * Streams of server-sent events for many readers: one timer beats for all, and what is sent to many is one buffer. It keeps
 * no timer while no stream is open.
 */
export const makeEventStreams = ({ maxOpen, heartbeatMs = 15_000 }: StreamLimits): EventStreams => {
  const streams = new Set<OpenStream>()
  let timer: ReturnType<typeof setInterval> | undefined
  let isDisposed = false

  const beat = (): void => {
    for (const stream of streams) stream.send(heartbeat)
  }

  const rest = (): void => {
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    openCount: () => streams.size,
    open: ({ signal, onClosed }) => {
      if (isDisposed || signal.aborted || streams.size >= maxOpen) return undefined
      const leave = () => stream.end()
      const stream = new OpenStream((closed) => {
        streams.delete(closed)
        signal.removeEventListener("abort", leave)
        rest()
        onClosed()
      })
      streams.add(stream)
      signal.addEventListener("abort", leave)
      timer ??= setInterval(beat, heartbeatMs)
      timer.unref()
      return stream
    },
    dispose: () => {
      isDisposed = true
      for (const stream of streams) stream.end()
    },
  }
}
