import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"

export interface OptionRule {
  /** Completes the sentence "... must be". */
  readonly mustBe: string
  readonly holds: (value: unknown) => boolean
  readonly isRequired?: true
  /** Explains a well-known mistake and its remedy. */
  readonly hint?: (value: unknown) => string | undefined
}

export const required = (rule: OptionRule): OptionRule => ({ ...rule, isRequired: true })

export const aText: OptionRule = {
  mustBe: "a non-empty string",
  holds: (value) => typeof value === "string" && value !== "",
}

export const aFlag: OptionRule = { mustBe: "true or false", holds: (value) => typeof value === "boolean" }

export const aFunction: OptionRule = { mustBe: "a function", holds: (value) => typeof value === "function" }

export const anObject: OptionRule = { mustBe: "an object", holds: Predicate.isObject }

export const aList = (what: string, holds: (item: unknown) => boolean): OptionRule => ({
  mustBe: `a list of ${what}`,
  holds: (value) => Array.isArray(value) && value.every(holds),
})

export const aNumber = (from: number, to?: number): OptionRule => ({
  mustBe: to === undefined ? `a number from ${from} on` : `a number from ${from} to ${to}`,
  holds: (value) => typeof value === "number" && value >= from && value <= (to ?? Infinity),
})

export const oneOf = (...values: ReadonlyArray<string>): OptionRule => ({
  mustBe: values.map((value) => `"${value}"`).join(" or "),
  holds: (value) => values.some((known) => known === value),
})

/** Effect 3 marks its Layers with this symbol, Effect 4 with a string. */
const effect3Layer = Symbol.for("effect/Layer")

const layerHint = (value: unknown): string | undefined => {
  if (typeof value === "function" && !(effect3Layer in value)) return "it is a function that wasn't called"
  return Predicate.hasProperty(value, effect3Layer)
    ? "it is a Layer of Effect 3: install effect 4 (npm install effect@4), and make every Layer with that one"
    : undefined
}

/** Requires an adapter; `example` is a call that makes one. */
export const anAdapter = (example: string): OptionRule => ({
  mustBe: `a Layer, as ${example} makes`,
  holds: Layer.isLayer,
  isRequired: true,
  hint: layerHint,
})
