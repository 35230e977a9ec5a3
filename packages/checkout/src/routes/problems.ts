import type { Exchange, Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { type Problem, problemPage } from "../pages/problemPage.ts"
import { problemTexts } from "../wire/problemTexts.ts"
import { jsonReply, pollSeconds, wantsJson } from "./replies.ts"

const retrySoon = { "retry-after": String(pollSeconds) }

export const problems = {
  unknown: { kind: "unknown", status: 404, headers: {} },
  expired: { kind: "expired", status: 410, headers: {} },
  unavailable: { kind: "unavailable", status: 503, headers: retrySoon },
  renewalFailed: { kind: "renewalFailed", status: 503, headers: retrySoon },
} as const satisfies Readonly<Record<string, Problem>>

export const wrongMethod = (allow: string): Problem => ({ kind: "method", status: 405, headers: { allow } })

/** A problem as JSON where a script asked for `/estado` or a new code, as a page elsewhere; `path` is below the link. */
export const problemReply = (exchange: Exchange, path: string, problem: Problem): Effect.Effect<Reply> => {
  const { kind, status, headers } = problem
  return path === "/estado" || (path === "/novo" && wantsJson(exchange))
    ? Effect.succeed(jsonReply(status, { erro: problemTexts[kind] }, headers))
    : Effect.promise(() => problemPage(problem, exchange))
}
