import * as Predicate from "effect/Predicate"

/** How a value breaks its contract. */
export interface Breach {
  readonly rule: "type" | "enum" | "format" | "required" | "additionalProperties" | "oneOf"
  /** Like `.body.valor.original`. */
  readonly path: string
}

/** Finds how a value breaks the contract. */
export type Contract = (value: unknown, path: string) => Breach | undefined

const holds =
  (rule: Breach["rule"], isSound: (value: unknown) => boolean): Contract =>
  (value, path) =>
    isSound(value) ? undefined : { rule, path }

export const text = holds("type", (value) => typeof value === "string")
export const numeric = holds("type", (value) => typeof value === "number")
export const flag = holds("type", (value) => typeof value === "boolean")
export const oneOf = (...texts: ReadonlyArray<string>): Contract =>
  holds("enum", (value) => texts.includes(String(value)))
export const url = holds("format", (value) => typeof value === "string" && URL.canParse(value))
export const email = holds(
  "format",
  (value) => typeof value === "string" && /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(value),
)
export const texts = (maxLength: number): Contract =>
  holds("type", (value) => typeof value === "string" && value.length <= maxLength)

export const each =
  (item: Contract): Contract =>
  (value, path) =>
    Array.isArray(value)
      ? value.map((one, index) => item(one, `${path}[${index}]`)).find((breach) => breach !== undefined)
      : { rule: "type", path }

export const either =
  (...forms: ReadonlyArray<Contract>): Contract =>
  (value, path) =>
    forms.some((form) => form(value, path) === undefined) ? undefined : { rule: "oneOf", path }

type Fields = Readonly<Record<string, Contract>>

const object =
  (required: Fields, optional: Fields, isOpen: boolean): Contract =>
  (value, path) => {
    if (!Predicate.isObject(value)) return { rule: "type", path }
    const missing = Object.keys(required).find((name) => !(name in value))
    if (missing !== undefined) return { rule: "required", path: `${path}.${missing}` }
    const known = { ...required, ...optional }
    const findBreach = ([name, field]: readonly [string, unknown]): Breach | undefined => {
      const contract = known[name]
      if (contract !== undefined) return contract(field, `${path}.${name}`)
      return isOpen ? undefined : { rule: "additionalProperties", path: `${path}.${name}` }
    }
    return Object.entries(value)
      .map(findBreach)
      .find((breach) => breach !== undefined)
  }

/** An object with these fields and no other. */
export const only = (required: Fields, optional: Fields = {}): Contract => object(required, optional, false)

/** An object with these fields, and with any other. */
export const some = (required: Fields): Contract => object(required, {}, true)
