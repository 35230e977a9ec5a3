/** One server-sent event. */
export interface ServerSentEvent {
  readonly event?: string
  /** What a browser sends as `Last-Event-ID` when it reconnects. */
  readonly id?: string
  readonly data?: string
  /** After how many milliseconds a browser reconnects. */
  readonly retryMs?: number
}

const encoder = new TextEncoder()

/**
 * Encodes an event (WHATWG HTML, 9.2), once for any number of readers.
 *
 * Data may have several lines; event and id have one line each.
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
 * Shows that a stream is alive.
 *
 * Proxies end silent streams. Pages notice by its absence that a connection has died; it is an event, because browsers hide
 * comments from pages.
 */
export const heartbeat: Uint8Array = encodeEvent({ event: "heartbeat", data: "1" })
