import fc from "fast-check"
import { expect, it } from "vitest"
import { closestName } from "../../src/runtime/options.ts"

/** The Levenshtein distance by its definition (1965), without a table. */
const distance = (a: string, b: string): number =>
  a === "" || b === ""
    ? a.length + b.length
    : a[0] === b[0]
      ? distance(a.slice(1), b.slice(1))
      : 1 + Math.min(distance(a.slice(1), b), distance(a, b.slice(1)), distance(a.slice(1), b.slice(1)))

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 0, maxLength: 6 })

it("finds a name that differs in at most a third of its letters, or in one letter", () => {
  fc.assert(
    fc.property(word, word, (written, name) => {
      const isLike = distance(written, name) <= Math.max(1, Math.floor(name.length / 3))
      expect(closestName(written, [name])).toBe(isLike ? name : undefined)
    }),
    { numRuns: 500 },
  )
})

it("finds the closest name, or the first of equally close names", () => {
  expect(closestName("stores", ["schema", "storeys", "store", "stored"])).toBe("storeys")
  expect(closestName("openapi", ["openapixy", "openap", "openaps"])).toBe("openap")
  expect(closestName("ONEVENT", ["event", "onEvent"])).toBe("onEvent")
  expect(closestName("store", [])).toBeUndefined()
})
