import { isStorableMoment, isStorableText, StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

const isStorableNumber = (name: string, value: number): boolean => {
  if (name.endsWith("Cents")) return Number.isSafeInteger(value)
  if (name === "at" || name === "until" || name.endsWith("At") || name.endsWith("Until")) return isStorableMoment(value)
  // Postgres stores these numbers in 32 bits.
  if (name === "version" || name === "attempt") return (value | 0) === value
  return Number.isFinite(value)
}

const isStorable = (value: unknown, name = ""): boolean => {
  if (typeof value === "string") return isStorableText(value)
  if (typeof value === "number") return isStorableNumber(name, value)
  if (!Predicate.isObjectOrArray(value)) return true
  return Object.entries(value).every(([part, one]) => isStorable(one, part))
}

/** Refuses a write, without any change, if Postgres couldn't store its value. */
export const storing = <A>(operation: string, value: unknown, write: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.suspend(() =>
    isStorable(value)
      ? Effect.sync(write)
      : Effect.fail(new StoreUnavailable({ operation, isRefused: true, cause: "a value can't be stored" })),
  )
