import type { Reply } from "@pixcharge/core"
import type { Problem } from "../Pages.ts"
import { problemTexts, tooManyText } from "../wire/problemTexts.ts"

/** How often pages ask that have no stream, in seconds. */
export const pollSeconds = 5

/** What a page may read wherever it stands: this alone of all routes (the others are for the pages themselves). */
export const openHeaders = {
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
  // A proxy that compresses or gathers what comes would keep it back.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
}

export const jsonAnswer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: {
    ...openHeaders,
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  },
  body: JSON.stringify(body),
})

/** What a page is told that may ask from anywhere, before it does. */
export const preflightAnswer: Reply = {
  status: 204,
  headers: {
    ...openHeaders,
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "Accept, Cache-Control, Last-Event-ID",
    "access-control-max-age": "86400",
  },
  body: "",
}

/** Nothing more comes: a browser that is told this asks no more (WHATWG HTML, 9.2.2). */
export const nothingMore: Reply = { status: 204, headers: { ...openHeaders, "cache-control": "no-store" }, body: "" }

/** A problem as JSON, for those that asked for `/estado`. */
export const jsonProblem = ({ kind, status, headers }: Problem): Reply =>
  jsonAnswer(status, { erro: problemTexts[kind] }, headers)

export const tooManyStreams = (status: 429 | 503): Reply =>
  jsonAnswer(status, { erro: tooManyText }, { "retry-after": String(pollSeconds) })
