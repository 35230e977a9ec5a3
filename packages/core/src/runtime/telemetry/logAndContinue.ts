import * as Effect from "effect/Effect"
import { logFailure } from "./index.ts"

/** Logs any failure, also a defect of a port that the host wrote, and continues: one failure must not end a background loop. */
export const logAndContinue =
  (message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> =>
    Effect.catchCause(effect, (cause) => Effect.as(logFailure("Warn", message, cause), undefined))
