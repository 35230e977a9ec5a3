import {
  aFlag,
  aFunction,
  aList,
  anObject,
  aNumber,
  aText,
  checkOptions,
  oneOf,
  optionFlaw,
  required,
} from "@pixcharge/core/internal"
import { expect, it } from "vitest"

interface Options {
  readonly store: string
  readonly schema?: string
  readonly openapi?: boolean
  readonly retries?: number
  readonly stage?: string
  readonly secrets?: ReadonlyArray<string>
  readonly headers?: object
  readonly fetch?: () => unknown
}

const rules = {
  store: required(aText),
  schema: aText,
  openapi: aFlag,
  retries: aNumber(1, 3),
  stage: oneOf("sandbox", "production"),
  secrets: aList("texts", (item) => typeof item === "string"),
  headers: anObject,
  fetch: aFunction,
}

const flawOf = (options: unknown) => optionFlaw<Options>(options, rules)

it.each([
  { store: "a" },
  { store: "a", schema: undefined, unknown: undefined },
  { store: "a", schema: "b", openapi: false, retries: 1, stage: "sandbox", secrets: [] },
  { store: "a", retries: 3, stage: "production", secrets: ["a", "b"] },
])("accepts %j", (options) => {
  expect(flawOf(options)).toBeUndefined()
})

it.each<[unknown, string]>([
  [undefined, "the options must be an object, with store"],
  [null, "the options must be an object, with store"],
  [[], "the options must be an object, with store"],
  ["store", "the options must be an object, with store"],
  [{}, 'the option "store" is missing: it must be a non-empty string'],
  [{ store: "" }, 'the option "store" must be a non-empty string'],
  [{ store: 1 }, 'the option "store" must be a non-empty string'],
  [{ store: "a", openapi: 1 }, 'the option "openapi" must be true or false'],
  [{ store: "a", retries: 0 }, 'the option "retries" must be a number from 1 to 3'],
  [{ store: "a", retries: 4 }, 'the option "retries" must be a number from 1 to 3'],
  [{ store: "a", retries: "2" }, 'the option "retries" must be a number from 1 to 3'],
  [{ store: "a", stage: "test" }, 'the option "stage" must be "sandbox" or "production"'],
  [{ store: "a", secrets: "a" }, 'the option "secrets" must be a list of texts'],
  [{ store: "a", secrets: ["a", 1] }, 'the option "secrets" must be a list of texts'],
  [{ store: "a", headers: [] }, 'the option "headers" must be an object'],
  [{ store: "a", headers: null }, 'the option "headers" must be an object'],
  [{ store: "a", headers: "x" }, 'the option "headers" must be an object'],
  [{ store: "a", fetch: {} }, 'the option "fetch" must be a function'],
  [{ store: "a", shema: "b" }, 'there is no option "shema" (did you mean "schema"?)'],
  [{ store: "a", STORE: "b" }, 'there is no option "STORE" (did you mean "store"?)'],
  [
    { store: "a", timeout: 1 },
    'there is no option "timeout": the options are store, schema, openapi, retries, stage, secrets, headers, fetch',
  ],
])("refuses %j, without repeating a value", (options, flaw) => {
  expect(flawOf(options)).toBe(flaw)
})

it.each(["Maria da Silva", "- x", `x${"y".repeat(40)}`, "a b"])(
  "doesn't repeat a name like %j, which can be data",
  (name) => {
    expect(flawOf({ store: "a", [name]: 1 })).toBe(
      "there is no option of such a name: the options are store, schema, openapi, retries, stage, secrets, headers, fetch",
    )
  },
)

it("repeats a name of 1 to 40 characters", () => {
  const maxName = "y".repeat(40)
  expect(flawOf({ store: "a", [maxName]: 1 })).toContain(`no option "${maxName}":`)
  expect(flawOf({ store: "a", y: 1 })).toContain('no option "y":')
})

it("refuses every option of a function without options", () => {
  expect(optionFlaw<object>({ store: 1 }, {})).toBe('there are no options, so there is no option "store"')
  expect(optionFlaw<object>(undefined, {})).toBe("the options must be an object")
})

it("names all required options", () => {
  const needed = { store: required(aText), schema: required(aText), openapi: aFlag }
  expect(optionFlaw<Options>(undefined, needed as typeof rules)).toBe(
    "the options must be an object, with store, schema",
  )
})

it("checkOptions throws the flaw with the function's name", () => {
  expect(() => checkOptions<Options>("createPix", { store: "" }, rules)).toThrowError(
    expect.objectContaining({
      _tag: "InvalidOption",
      message: 'createPix: the option "store" must be a non-empty string.',
    }),
  )
  expect(checkOptions<Options>("createPix", { store: "a" }, rules)).toBeUndefined()
})
