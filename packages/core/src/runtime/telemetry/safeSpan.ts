import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import { failureFacts } from "./failureFacts.ts"

/** The failure that a span ends with in place of the effect's own. */
class FailureInSpan extends Error {
  /** The name of the error that the effect failed with, as `failureFacts` gives it. */
  readonly _tag: string

  constructor(cause: Cause.Cause<unknown>) {
    const { error, ...facts } = failureFacts(cause)
    super(JSON.stringify(facts))
    this.name = error
    this._tag = error
    this.stack = ""
  }
}

/**
 * `useSpan` for effects whose failure may hold a payer's data or a text from outside, which a tracer would export.
 *
 * The span ends with the facts of the failure alone; the effect ends as it would without a span.
 */
export const useSafeSpan = <A, E, R>(
  name: string,
  options: Tracer.SpanOptionsNoTrace,
  evaluate: (span: Tracer.Span) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  Effect.suspend(() => {
    let exit: Exit.Exit<A, E> = Exit.interrupt()
    const spanned = Effect.useSpan(name, options, (span) =>
      Effect.matchCauseEffect(Effect.provideService(evaluate(span), Tracer.ParentSpan, span), {
        onSuccess: (value) => {
          exit = Exit.succeed(value)
          return Effect.void
        },
        onFailure: (cause) => {
          exit = Exit.failCause(cause)
          return Cause.hasInterruptsOnly(cause) ? Exit.interrupt() : Effect.fail(new FailureInSpan(cause))
        },
      }),
    )
    return Effect.andThen(
      Effect.ignore(spanned),
      Effect.suspend(() => exit),
    )
  })

/** Whether the caller has a tracer: without one a span would cost time and tell nobody. */
export const isTraced = (caller: Fiber.Fiber<unknown, unknown>): boolean =>
  caller.getRef(Tracer.Tracer) !== Tracer.Tracer.defaultValue()

/** `withSpan`, as safe as `useSafeSpan`, for a caller with a tracer. */
export const safeSpan =
  (name: string, attributes: Readonly<Record<string, unknown>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.withFiber((caller) =>
      isTraced(caller)
        ? useSafeSpan(name, { attributes }, () => effect)
        : (effect as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>),
    )
