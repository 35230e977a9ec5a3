import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PspRefusal } from "../wire/Problem.ts"

export type Found<A> = Effect.Effect<A, ProcessorUnavailable | PspRefusal>

export const orUndefined = <A>(found: Found<A>): Found<A | undefined> =>
  Effect.catchTag(found, "PspRefusal", (refusal) =>
    refusal.status === 404 || refusal.status === 410 ? Effect.succeed(undefined) : Effect.fail(refusal),
  )

/**
 * Like `orUndefined`, but fails with `ProcessorUnavailable` if a proxy can have sent the 404 or 410. Use it before a
 * step that can't be undone.
 */
export const orUndefinedIfSure = <A>(operation: string, found: Found<A>): Found<A | undefined> =>
  orUndefined(
    Effect.mapError(found, (error) =>
      error._tag === "PspRefusal" && error.isBare === true
        ? new ProcessorUnavailable({ operation, cause: error })
        : error,
    ),
  )

export const failUnavailable = (operation: string) => (cause: PspRefusal) =>
  Effect.fail(new ProcessorUnavailable({ operation, cause }))

export const makeRejected = (operation: string, reason: string) =>
  new ProcessorRejected({ operation, reason: Redacted.make(reason) })

/**
 * Whether the refusal is about the request. Other statuses (403, ...) are about the connection: the request can succeed
 * once that is corrected.
 */
export const isAboutRequest = ({ status }: PspRefusal): boolean => [400, 404, 410, 422].includes(status)

export const failRejected =
  (operation: string) =>
  ({ status, reason }: PspRefusal) =>
    Effect.fail(new ProcessorRejected({ operation, status, reason }))

const missingKind = /nao_?encontrad[ao]$/i

/**
 * Maps Efí's 400 for a missing resource to 404. Matches any resource, because no public source shows Efí's names for a
 * recurrence or its charge.
 */
export const readMissing = <A>(
  found: Effect.Effect<A, ProcessorUnavailable | PspRefusal>,
): Effect.Effect<A, ProcessorUnavailable | PspRefusal> =>
  Effect.mapError(found, (error) =>
    error._tag === "PspRefusal" && error.status === 400 && missingKind.test(error.kind ?? "")
      ? new PspRefusal({ ...error, status: 404 })
      : error,
  )
