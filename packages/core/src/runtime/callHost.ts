import * as Effect from "effect/Effect"

/** What a function of the host answers: a value, a promise, or an Effect whose services the host provides. */
export type HostAnswer<A, R = never> = A | Promise<A> | Effect.Effect<A, unknown, R>

/** Calls a function of the host. Fails with what it throws, or rejects or fails with. */
export const callHost = <A, R>(call: () => HostAnswer<A, R>): Effect.Effect<A, unknown, R> =>
  Effect.flatMap(Effect.try({ try: call, catch: (cause) => cause }), (answer) =>
    Effect.isEffect(answer) ? answer : Effect.tryPromise({ try: async () => answer, catch: (cause) => cause }),
  )
