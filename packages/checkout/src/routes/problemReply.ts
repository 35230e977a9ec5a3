import type { Exchange, Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { problemPage } from "../pages/problemPage.ts"
import { problemTexts } from "../wire/problemTexts.ts"
import { jsonReply } from "./replies.ts"
import type { Problem } from "./Problem.ts"

/** A problem as JSON where a script asked for `/estado`, as a page elsewhere; `path` is below the link. */
export const problemReply = (exchange: Exchange, path: string, problem: Problem): Effect.Effect<Reply> => {
  const { kind, status, headers } = problem
  return path === "/estado"
    ? Effect.succeed(jsonReply(status, { erro: problemTexts[kind] }, headers))
    : Effect.promise(() => problemPage(problem, exchange))
}
