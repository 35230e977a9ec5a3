import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** What a function of the host answers: a value, a promise, or an Effect that needs `R`. */
export type HostAnswer<A, R = never> = A | Promise<A> | Effect.Effect<A, unknown, R>

/** By its form: a promise of another realm is no instance of this one's. */
const isThenable = <A>(answer: A | Promise<A>): answer is Promise<A> =>
  typeof (answer as Partial<Promise<A>> | null | undefined)?.then === "function"

/** Calls a function of the host, whose Effect gets these services. Fails with what it throws, or rejects or fails with. */
export const callHost = <A, R>(call: () => HostAnswer<A, R>, services: Context.Context<R>): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    try {
      const answer = call()
      if (Effect.isEffect(answer)) return Effect.provideContext(answer, services)
      return isThenable(answer)
        ? Effect.tryPromise({ try: () => answer, catch: (cause) => cause })
        : Effect.succeed(answer)
    } catch (cause) {
      return Effect.fail(cause)
    }
  })
