import type { OptionRule } from "./OptionRule.ts"
import { TaggedError } from "./error.ts"

/**
 * A set-up function rejects its options: the message names the function, the option and the rule, and never the value. Thrown
 * immediately, by the function itself.
 *
 * @remedy Correct the option that the message names.
 * @repeat No, only with corrected options.
 */
export class InvalidOption extends TaggedError("InvalidOption")<{ readonly message: string }> {}

export const hasMethods = (value: unknown, ...names: ReadonlyArray<string>): boolean =>
  typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function")

type Names<A> = A extends unknown ? keyof A & string : never

/** One rule for each option of a type, or of a union's members. */
export type OptionRules<A> = { readonly [Name in Names<A>]: OptionRule }

const unknownName = (name: string, known: ReadonlyArray<string>): string => {
  const meant = closestName(name, known)
  const shownName = plainName.test(name) ? `"${name}"` : "of such a name"
  if (known.length === 0) return `there are no options, so there is no option ${shownName}`
  return meant === undefined
    ? `there is no option ${shownName}: the options are ${known.join(", ")}`
    : `there is no option ${shownName} (did you mean "${meant}"?)`
}

const missingOptions = (rules: Readonly<Record<string, OptionRule>>): string => {
  const needed = Object.keys(rules).filter((name) => rules[name]?.isRequired)
  return `the options must be an object${needed.length === 0 ? "" : `, with ${needed.join(", ")}`}`
}

/** An unknown, missing or wrong option. The text never repeats a value. */
export const optionFlaw = <A>(options: unknown, rules: OptionRules<A>): string | undefined => {
  const known: Readonly<Record<string, OptionRule>> = rules
  if (typeof options !== "object" || options === null || Array.isArray(options)) return missingOptions(known)
  const given: Readonly<Record<string, unknown>> = { ...options }
  const names = Object.keys(known)
  const odd = Object.keys(given).find((name) => given[name] !== undefined && !Object.hasOwn(known, name))
  if (odd !== undefined) return unknownName(odd, names)
  for (const [name, rule] of Object.entries(known)) {
    const value = given[name]
    if (value === undefined && rule.isRequired) return `the option "${name}" is missing: it must be ${rule.mustBe}`
    if (value === undefined || rule.holds(value)) continue
    const hint = rule.hint?.(value)
    return `the option "${name}" must be ${rule.mustBe}${hint === undefined ? "" : `; ${hint}`}`
  }
  return undefined
}

/** Throws `InvalidOption` in the name of the function `caller`. */
export const checkOptions = <A>(caller: string, options: unknown, rules: OptionRules<A>): void => {
  const flaw = optionFlaw<A>(options, rules)
  if (flaw !== undefined) throw new InvalidOption({ message: `${caller}: ${flaw}.` })
}

/** The fields that an object can have. A field holds `true`, or the fields of its object or of each item of its list. */
export interface Fields {
  readonly [name: string]: true | Fields
}

export type FieldsOf<A> = { readonly [Name in keyof Required<A>]: true | Fields }

const suggest = (path: string, name: string, known: Fields): string => {
  const meant = closestName(name, Object.keys(known))
  return meant === undefined ? `the fields are ${Object.keys(known).join(", ")}` : `did you mean "${path}${meant}"?`
}

/** Errors don't repeat other names: they could be personal. */
const plainName = /^\w{1,40}$/

/** With the likely intended name and without any value. */
export const unknownField = (given: unknown, known: Fields, path = ""): string | undefined => {
  if (typeof given !== "object" || given === null) return undefined
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const field = Object.hasOwn(known, name) ? known[name] : undefined
    if (field === undefined) {
      const shownName = plainName.test(name) ? `"${path}${name}"` : "of such a name"
      return `there is no field ${shownName} (${suggest(path, name, known)})`
    }
    if (field === true) continue
    const inner = [value].flat().map((item) => unknownField(item, field, `${path}${name}.`))
    const flaw = inner.find((found) => found !== undefined)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

/** The most similar known name, or a known name that contains the written name. */
export const closestName = (written: string, known: ReadonlyArray<string>): string | undefined => {
  const sought = written.toLowerCase()
  const holds = (name: string): boolean => sought.length >= minPartLength && name.toLowerCase().includes(sought)
  const [closest] = known
    .map((name) => ({ name, apart: distance(sought, name.toLowerCase()) }))
    .filter(({ name, apart }) => apart <= Math.max(1, Math.floor(name.length / 3)) || holds(name))
    .toSorted((a, b) => a.apart - b.apart)
  return closest?.name
}

const minPartLength = 4

/** The Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const letter of a) {
    let diagonal = 0
    let left = 0
    row = row.map((above, index) => {
      left = index === 0 ? above + 1 : Math.min(above + 1, left + 1, diagonal + (letter === b[index - 1] ? 0 : 1))
      diagonal = above
      return left
    })
  }
  return Math.max(...row.slice(-1))
}
