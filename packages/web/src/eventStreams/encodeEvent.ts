/** One server-sent event. */
export interface ServerSentEvent {
  readonly event?: string
  /** What a browser says when it comes back, as `Last-Event-ID`. */
  readonly id?: string
  readonly data?: string
  /** After how many milliseconds a browser comes back. */
  readonly retryMs?: number
}

const encoder = new TextEncoder()

/**
 * An event as it is sent (WHATWG HTML, 9.2): encoded once, it goes to any number of readers. Data of several lines keeps
 * them; event and id have one line each.
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
 * It keeps proxies from taking a quiet stream for a dead one; and pages, which hear of events alone and not of comments, can
 * tell that a connection has died of which nobody told them.
 */
export const heartbeat: Uint8Array = encodeEvent({ event: "heartbeat", data: "1" })
