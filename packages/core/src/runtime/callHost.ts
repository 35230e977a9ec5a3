import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

/** Answer of a host's function: a value, a promise, or an Effect that needs `R`. */
export type HostAnswer<A, R = never> = A | Promise<A> | Effect.Effect<A, unknown, R>

/** A promise of another realm fails `instanceof`. */
const isThenable = <A>(answer: A | Promise<A>): answer is Promise<A> =>
  typeof (answer as Partial<Promise<A>> | null | undefined)?.then === "function"

/** Adds the caller's tracing, but not its other services, such as its transaction. */
const inTrace =
  <R>(services: Context.Context<R>) =>
  (caller: Context.Context<never>): Context.Context<R> =>
    services.pipe(
      Context.add(Tracer.Tracer, Context.get(caller, Tracer.Tracer)),
      Context.add(References.TracerEnabled, Context.get(caller, References.TracerEnabled)),
      Context.addOrOmit(Tracer.ParentSpan, Context.getOption(caller, Tracer.ParentSpan)),
    ) as Context.Context<R>

/** Fails with the function's own error. */
export const callHost = <A, R>(call: () => HostAnswer<A, R>, services: Context.Context<R>): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    try {
      const answer = call()
      if (Effect.isEffect(answer)) return Effect.updateContext(answer, inTrace(services))
      return isThenable(answer)
        ? Effect.tryPromise({ try: () => answer, catch: (cause) => cause })
        : Effect.succeed(answer)
    } catch (cause) {
      return Effect.fail(cause)
    }
  })
