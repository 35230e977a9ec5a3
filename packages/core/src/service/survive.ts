import * as Effect from "effect/Effect"

/** Whatever goes wrong, a defect of a host's own port too, is logged: a loop must outlive one bad turn. */
export const survive =
  (complaint: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> =>
    Effect.catchCause(effect, (cause) => Effect.as(Effect.logWarning(complaint, cause), undefined))
