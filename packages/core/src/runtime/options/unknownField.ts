import * as Predicate from "effect/Predicate"
import { closestName } from "./closestName.ts"

/** The fields that an object may have: `true`, or those of the object, or of each in the list, that a field holds. */
export interface Fields {
  readonly [name: string]: true | Fields
}

/** The fields of a type: one that is left out doesn't compile. */
export type FieldsOf<A> = { readonly [Name in keyof Required<A>]: true | Fields }

const suggest = (path: string, name: string, known: Fields): string => {
  const meant = closestName(name, Object.keys(known))
  return meant === undefined ? `the fields are ${Object.keys(known).join(", ")}` : `did you mean "${path}${meant}"?`
}

/** A name may be anything where a host spreads an object of its own: what could be a person's is not repeated. */
const plainName = /^\w{1,40}$/

/**
 * Which field of an object is unknown, with what was probably meant, in words that don't repeat a value; undefined if
 * none is. A misspelt optional field would change what a call does without a word.
 */
export const unknownField = (given: unknown, known: Fields, path = ""): string | undefined => {
  if (!Predicate.isObjectOrArray(given)) return undefined
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const field = Object.hasOwn(known, name) ? known[name] : undefined
    if (field === undefined) {
      const said = plainName.test(name) ? `"${path}${name}"` : "of such a name"
      return `there is no field ${said} (${suggest(path, name, known)})`
    }
    if (field === true) continue
    const inner = [value].flat().map((item) => unknownField(item, field, `${path}${name}.`))
    const flaw = inner.find((found) => found !== undefined)
    if (flaw !== undefined) return flaw
  }
  return undefined
}
