import { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { SqlFailure } from "./SqlFailure.ts"

/**
 * The border between the ports' Effects and what is below them: a `SqlFailure` becomes `StoreUnavailable`, and any other
 * cause is a defect. Only the first answer or failure counts; the returned function is called if the caller gives up.
 */
export const storeCall = <A>(
  operation: string,
  start: (answer: (answer: A) => void, fail: (cause: unknown) => void) => (() => void) | void,
): Effect.Effect<A, StoreUnavailable> =>
  Effect.callback((resume) => {
    const giveUp = start(
      (answer) => resume(Effect.succeed(answer)),
      (cause) =>
        resume(
          cause instanceof SqlFailure ? Effect.fail(new StoreUnavailable({ operation, cause })) : Effect.die(cause),
        ),
    )
    return giveUp && Effect.sync(giveUp)
  })

/** The same for a promise, which goes on when the caller gives up. */
export const storeEffect = <A>(operation: string, start: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  storeCall(operation, (answer, fail) => void start().then(answer, fail))
