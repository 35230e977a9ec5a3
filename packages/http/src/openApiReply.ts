import type { Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { documentReply } from "./wire/Envelope.ts"

/** The OpenAPI document, as text and loaded when it is first asked for: most hosts serve it to nobody. */
export const openApiReply: Effect.Effect<Reply> = Effect.map(
  Effect.promise(() => import("./contract/openApiText.ts")),
  ({ openApiText, openApiTag }) => documentReply(openApiText, openApiTag),
)
