import type { Exchange, Reply } from "@pixcharge/core"
import type { StreamRefusal } from "@pixcharge/web"
import { tooManyText } from "./problemTexts.ts"

export const pollSeconds = 5

/** Pages of every origin can read the state and the link of a new code. */
const openHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Accept",
}

export const streamHeaders = {
  ...openHeaders,
  "content-type": "text/event-stream; charset=utf-8",
  // A proxy that compresses or buffers would hold events back.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
}

export const jsonReply = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: {
    ...openHeaders,
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  },
  body: JSON.stringify(body),
})

/** Whether a script sent the request: a browser that opens a page never accepts JSON by name. */
export const wantsJson = (exchange: Exchange): boolean => /\bapplication\/json\b/i.test(exchange.header("accept") ?? "")

export const preflightReply: Reply = {
  status: 204,
  headers: {
    ...openHeaders,
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "Accept, Cache-Control, Last-Event-ID",
    "access-control-max-age": "86400",
  },
  body: "",
}

/** Stops an event stream: browsers don't reconnect after a 204 (WHATWG HTML, 9.2.2). */
export const endReply: Reply = { status: 204, headers: { ...openHeaders, "cache-control": "no-store" }, body: "" }

export const tooManyStreamsReply = (status: StreamRefusal): Reply =>
  jsonReply(status, { erro: tooManyText }, { "retry-after": String(pollSeconds) })
