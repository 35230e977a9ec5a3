import { closestName } from "./closestName.ts"
import { InvalidOption } from "./InvalidOption.ts"
import type { OptionRule } from "./OptionRule.ts"

type Names<A> = A extends unknown ? keyof A & string : never

/** A rule for each option of a type, of every member if it is a union: an option without one doesn't compile. */
export type OptionRules<A> = { readonly [Name in Names<A>]: OptionRule }

/** A name may be anything, too, where a host spreads an object of its own. */
const plainName = /^\w{1,40}$/

const unknownName = (name: string, known: ReadonlyArray<string>): string => {
  const meant = closestName(name, known)
  const said = plainName.test(name) ? `"${name}"` : "of such a name"
  if (known.length === 0) return `there are no options, and so none ${said}`
  return meant === undefined
    ? `there is no option ${said}: the options are ${known.join(", ")}`
    : `there is no option ${said} (did you mean "${meant}"?)`
}

/** What the sentence says if the options aren't an object. */
const missingOptions = (rules: Readonly<Record<string, OptionRule>>): string => {
  const needed = Object.keys(rules).filter((name) => rules[name]?.isRequired)
  return `the options must be an object${needed.length === 0 ? "" : `, with ${needed.join(", ")}`}`
}

/** Why options can't be used: the first that is unknown, missing or wrong, in words that don't repeat its value. */
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

/** Throws `InvalidOption` for options that a function of the set-up, named by `caller`, can't use. */
export const checkOptions = <A>(caller: string, options: unknown, rules: OptionRules<A>): void => {
  const flaw = optionFlaw<A>(options, rules)
  if (flaw !== undefined) throw new InvalidOption({ message: `${caller}: ${flaw}.` })
}
