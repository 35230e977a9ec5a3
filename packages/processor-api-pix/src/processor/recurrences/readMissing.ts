import type { ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { PspRefusal } from "../../wire/Problem.ts"

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
