import * as Predicate from "effect/Predicate"

/** An object's fields. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; none if it is not an object. */
export const fields = (value: unknown): Fields => (Predicate.isObject(value) ? value : {})
