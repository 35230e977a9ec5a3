import type { Reply } from "@pixcharge/core"
import { type EventStream, securityHeaders } from "@pixcharge/web"
import type { View } from "../frame/View.ts"

/** The name of the version's field in the address of a stream, which is otherwise the page's own. */
export const versionField = "versao"

/** Whether a request of a page asks for the stream of its news. */
export const asksForNews = ({ exchange }: View): boolean =>
  exchange.method === "GET" && (exchange.header("accept") ?? "").includes("text/event-stream")

/** The address of what a page shows, by which many pages share a look-up. */
export const liveKey = ({ company, exchange, query }: View): string => {
  const search = new URLSearchParams(query)
  search.delete(versionField)
  return JSON.stringify([company, exchange.url.split("?", 1)[0], search.toString()])
}

/** The reply that a stream begins with; undefined stands for too many of them. */
export const liveReply = (stream: EventStream | undefined): Reply =>
  stream === undefined
    ? { status: 503, headers: { ...securityHeaders, "retry-after": "10" }, body: "" }
    : {
        status: 200,
        headers: {
          ...securityHeaders,
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store, no-transform",
          vary: "accept",
          "x-accel-buffering": "no",
        },
        body: stream.body,
      }
