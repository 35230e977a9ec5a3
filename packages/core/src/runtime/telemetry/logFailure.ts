import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { failureFacts } from "./failureFacts.ts"

/**
 * Logs a message with what is safe to say of the failure. The failure itself goes along as `Redacted`: every logger prints
 * `<redacted>`, and one of the host's own may take it out.
 */
export const logFailure = (level: "Warn" | "Error", message: string, failure: unknown): Effect.Effect<void> =>
  Effect.logWithLevel(level)(message, failureFacts(failure), Redacted.make(failure))
