import * as Effect from "effect/Effect"
import type { Tokens } from "../Tokens.ts"
import { jsonReply } from "../wire/Envelope.ts"
import { exchangeFailures } from "../wire/messages.ts"
import { tokenBody } from "../wire/TokenBody.ts"
import { type Handler, unauthenticatedReply } from "./Handler.ts"

/** A token for the secret in the path. */
export const issueToken =
  (tokens: Tokens["Service"]): Handler =>
  (_, secret) =>
    tokens.issue(secret).pipe(
      Effect.map((jwt) => jsonReply(200, tokenBody(jwt), { "referrer-policy": "no-referrer" })),
      Effect.catchTag("Unauthenticated", () => Effect.succeed(unauthenticatedReply(exchangeFailures.badCredentials))),
    )
