import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PspRefusal } from "../wire/Problem.ts"

export type Found<A> = Effect.Effect<A, ProcessorUnavailable | PspRefusal>

/** Maps 404 and 410 to undefined; any other refusal fails. */
export const orUndefined = <A>(found: Found<A>): Found<A | undefined> =>
  Effect.catchTag(found, "PspRefusal", (refusal) =>
    refusal.status === 404 || refusal.status === 410 ? Effect.succeed(undefined) : Effect.fail(refusal),
  )

/**
 * Like `orUndefined`, before an irrevocable step: fails with `ProcessorUnavailable` for an absence that a proxy could have
 * reported.
 */
export const orUndefinedIfSure = <A>(operation: string, found: Found<A>): Found<A | undefined> =>
  orUndefined(
    Effect.mapError(found, (error) =>
      error._tag === "PspRefusal" && error.isBare === true
        ? new ProcessorUnavailable({ operation, cause: error })
        : error,
    ),
  )

/** For `catchTag`: a refusal that says nothing of what was asked for. */
export const failUnavailable = (operation: string) => (cause: PspRefusal) =>
  Effect.fail(new ProcessorUnavailable({ operation, cause }))

/** What was asked for is refused, for a reason in words of ours. */
export const makeRejected = (operation: string, reason: string) =>
  new ProcessorRejected({ operation, reason: Redacted.make(reason) })

/** The refusal is about what was asked for; any other one (403, ...) is about us, and passes once that is mended. */
export const isAboutRequest = ({ status }: PspRefusal): boolean => [400, 404, 410, 422].includes(status)

/** For `catchTag`: the bank refuses what was asked for. */
export const failRejected =
  (operation: string) =>
  ({ status, reason }: PspRefusal) =>
    Effect.fail(new ProcessorRejected({ operation, status, reason }))

const missingKind = /nao_?encontrad[ao]$/i

/** Efí says 400 and a name where something isn't there; which name a recurrence or its charge has, no public source shows. */
export const readMissing = <A>(
  found: Effect.Effect<A, ProcessorUnavailable | PspRefusal>,
): Effect.Effect<A, ProcessorUnavailable | PspRefusal> =>
  Effect.mapError(found, (error) =>
    error._tag === "PspRefusal" && error.status === 400 && missingKind.test(error.kind ?? "")
      ? new PspRefusal({ ...error, status: 404 })
      : error,
  )
