import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { onTestFinished } from "vitest"

export interface PlainEvent {
  readonly [field: string]: string
}

/** An event stream that a test reads or leaves unread. */
export interface OpenEvents {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  /** The received text, with heartbeats. */
  readonly text: () => string
  readonly events: () => ReadonlyArray<PlainEvent>
  /** Waits until `holds` returns true. `meanwhile` passes time if the clock is stopped. */
  readonly until: (holds: () => boolean, meanwhile?: () => Promise<unknown>) => Promise<void>
  /** Resolves when the stream has ended or its connection has broken. */
  readonly ended: Promise<"ended" | "broken">
  readonly hasEnded: () => boolean
  readonly close: () => void
}

// The real function, even if a test has stopped the clock.
const later = setTimeout

const readFields = (block: string): PlainEvent =>
  Object.fromEntries(
    block.split("\n").flatMap((line) => {
      const [, name = "", value = ""] = /^([a-z]+): (.*)$/.exec(line) ?? []
      return name === "" ? [] : [[name, value]]
    }),
  )

/** Opens a stream. With `isRead: false`, its body stays unread. */
export const openEvents = async (
  url: string,
  { lastEventId, isRead = true }: { readonly lastEventId?: string; readonly isRead?: boolean } = {},
): Promise<OpenEvents> => {
  const headers = { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) }
  const request = get(url, { headers, agent: false })
  const [response] = (await once(request, "response")) as [IncomingMessage]
  let text = ""
  let end: "ended" | "broken" | undefined
  const ended = new Promise<"ended" | "broken">((ends) => {
    response.once("end", () => ends("ended")).once("error", () => ends("broken"))
  })
  void ended.then((how) => (end = how))
  request.on("error", () => undefined)
  if (isRead) response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
  onTestFinished(() => void request.destroy())
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events: () =>
      text
        .split("\n\n")
        .map(readFields)
        .filter(({ event, data }) => data !== undefined && event !== "heartbeat"),
    until: async (holds, meanwhile) => {
      for (let turn = 0; !holds(); turn++) {
        if (turn > 60_000) throw new Error(`the condition never became true; received: ${text}`)
        await meanwhile?.()
        await new Promise((resume) => void later(resume, 2))
      }
    },
    ended,
    hasEnded: () => end !== undefined,
    close: () => void request.destroy(),
  }
}
