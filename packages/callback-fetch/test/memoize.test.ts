import { expect, it } from "vitest"
import { memoize } from "../src/memoize.ts"

it("computes each result once, even an undefined one, and keeps at most 1000", () => {
  const computed: Array<string> = []
  const recall = memoize((text) => {
    computed.push(text)
    return text === "nothing" ? undefined : text.length
  })
  for (const text of ["a", "nothing", "a", "nothing"]) expect(recall(text)).toBe(text === "a" ? 1 : undefined)
  expect(computed).toEqual(["a", "nothing"])
  for (let n = 0; n < 1_000; n++) {
    recall("a")
    recall(`x${n}`)
  }
  // Entries in use stay, and unused entries are forgotten.
  recall("a")
  expect(computed).toHaveLength(1_002)
  recall("nothing")
  expect(computed).toHaveLength(1_003)
})
