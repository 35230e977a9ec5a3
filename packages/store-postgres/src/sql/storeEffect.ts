import { StoreUnavailable, type TooManyReports } from "@pixcharge/core"
import { hasTag } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { isRefusedAgain, SqlFailure } from "./SqlFailure.ts"

const outage = (operation: string, cause: SqlFailure): StoreUnavailable =>
  new StoreUnavailable({ operation, cause, ...(isRefusedAgain(cause) && { isRefused: true }) })

/**
 * The border between the ports' Effects and what is below them: a `SqlFailure` becomes `StoreUnavailable`, and any other
 * cause is a defect. Only the first answer or failure counts. `start` may return a function, which is called if the caller gives up.
 */
export const storeCall = <A>(
  operation: string,
  start: (answer: (answer: A) => void, fail: (cause: unknown) => void) => (() => void) | void,
): Effect.Effect<A, StoreUnavailable> =>
  Effect.callback((resume) => {
    const giveUp = start(
      (answer) => resume(Effect.succeed(answer)),
      (cause) => resume(cause instanceof SqlFailure ? Effect.fail(outage(operation, cause)) : Effect.die(cause)),
    )
    return giveUp && Effect.sync(giveUp)
  })

/** The same for a promise. If the caller gives up, the signal is aborted; a promise that ignores it goes on. */
export const storeEffect = <A>(
  operation: string,
  start: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, StoreUnavailable> =>
  storeCall(operation, (answer, fail) => {
    const caller = new AbortController()
    void start(caller.signal).then(answer, fail)
    return () => caller.abort()
  })

/** The same for a report, which is refused where too many wait. */
export const reportEffect = <A>(
  operation: string,
  start: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, StoreUnavailable | TooManyReports> =>
  Effect.flatten(
    storeEffect(operation, (signal) =>
      start(signal).then(Effect.succeed, (cause: unknown) => {
        if (hasTag<TooManyReports>(cause, "TooManyReports")) return Effect.fail(cause)
        throw cause
      }),
    ),
  )
