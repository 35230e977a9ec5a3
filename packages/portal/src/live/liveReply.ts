import type { Reply } from "@pixcharge/core"
import { type EventStream, securityHeaders } from "@pixcharge/web"
import type { View } from "../frame/View.ts"
import { sealedTextField } from "../pages/lists/soughtText.ts"

/** The name of the version's field in the address of a stream, which is otherwise the page's own. */
export const versionField = "versao"

/** Whether a request of a page asks for the stream of its news. */
export const asksForNews = ({ exchange }: View): boolean =>
  exchange.method === "GET" && (exchange.header("accept") ?? "").includes("text/event-stream")

/** Names what a page shows: the pages of a company with the same key share a look-up. A sealed text shows more to its sender. */
export const liveKey = ({ who, exchange, query }: View): string => {
  const search = new URLSearchParams(query)
  search.delete(versionField)
  return JSON.stringify([exchange.url.split("?", 1)[0], search.toString(), search.has(sealedTextField) && who])
}

/** The reply that a stream begins with. */
export const liveReply = ({ body }: EventStream): Reply => ({
  status: 200,
  headers: {
    ...securityHeaders,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    vary: "accept",
    "x-accel-buffering": "no",
  },
  body,
})
