import { anAdapter, hasMethods, optionFlaw } from "@pixcharge/core/internal"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"

const rules = { store: anAdapter("memoryStore()") }
const flawOf = (store: unknown) => optionFlaw<{ readonly store: unknown }>({ store }, rules)

/** Effect 3 marks its Layers like this: objects, and functions of some releases. */
const effect3 = { [Symbol.for("effect/Layer")]: {} }

it("accepts a Layer", () => {
  expect(flawOf(Layer.empty)).toBeUndefined()
})

it.each<[string, unknown, string]>([
  ["nothing", undefined, 'the option "store" is missing: it must be a Layer, as memoryStore() makes'],
  ["an object", {}, 'the option "store" must be a Layer, as memoryStore() makes'],
  ["null", null, 'the option "store" must be a Layer, as memoryStore() makes'],
  ["a string", "memory", 'the option "store" must be a Layer, as memoryStore() makes'],
  [
    "a function",
    () => Layer.empty,
    'the option "store" must be a Layer, as memoryStore() makes; it is a function that wasn\'t called',
  ],
  [
    "a Layer of Effect 3",
    effect3,
    'the option "store" must be a Layer, as memoryStore() makes; it is a Layer of Effect 3: install effect 4 (npm install effect@4), and make every Layer with that one',
  ],
  [
    "a function that is a Layer of Effect 3",
    Object.assign(() => undefined, effect3),
    'the option "store" must be a Layer, as memoryStore() makes; it is a Layer of Effect 3: install effect 4 (npm install effect@4), and make every Layer with that one',
  ],
])("refuses %s, and says what to do", (_, store, flaw) => {
  expect(flawOf(store)).toBe(flaw)
})

it("hasMethods requires a function for each name", () => {
  expect(hasMethods({ query: () => 1, end: () => 2 }, "query", "end")).toBe(true)
  expect(hasMethods({ query: () => 1, end: 2 }, "query", "end")).toBe(false)
  expect(hasMethods(null, "query")).toBe(false)
  expect(hasMethods(() => undefined, "call")).toBe(false)
})
