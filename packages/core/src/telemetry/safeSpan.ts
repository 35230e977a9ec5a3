import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { failureFacts } from "./failureFacts.ts"

/** A failure as a span ends with it. */
class FailureInSpan<E> extends Error {
  readonly #cause: Cause.Cause<E>

  constructor(cause: Cause.Cause<E>) {
    const { error, ...facts } = failureFacts(cause)
    super(JSON.stringify(facts))
    this.name = error
    this.stack = ""
    this.#cause = cause
  }

  readonly failAsBefore = (): Effect.Effect<never, E> => Effect.failCause(this.#cause)
}

/** `withSpan` for what may fail with anybody's prose: exporters send a span's failure away, so that it tells the facts alone. */
export const safeSpan =
  (name: string, attributes: Readonly<Record<string, unknown>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.useSpan(name, { attributes }, (span) =>
      effect.pipe(
        Effect.provideService(Tracer.ParentSpan, span),
        Effect.catchCause((cause): Effect.Effect<never, E | FailureInSpan<E>> =>
          Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.fail(new FailureInSpan(cause)),
        ),
      ),
    ).pipe(Effect.catch((error) => (error instanceof FailureInSpan ? error.failAsBefore() : Effect.fail(error))))
