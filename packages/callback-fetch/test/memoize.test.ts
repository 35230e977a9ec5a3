import { expect, it } from "vitest"
import { memoize } from "../src/memoize.ts"

it("a result is computed once, an undefined one included, and no more than 1000 are kept", () => {
  const asked: Array<string> = []
  const ask = memoize((text) => {
    asked.push(text)
    return text === "nothing" ? undefined : text.length
  })
  for (const text of ["a", "nothing", "a", "nothing"]) expect(ask(text)).toBe(text === "a" ? 1 : undefined)
  expect(asked).toEqual(["a", "nothing"])
  for (let n = 0; n < 1_000; n++) {
    ask("a")
    ask(`x${n}`)
  }
  // What is in use stays; what was not asked for meanwhile is forgotten.
  ask("a")
  expect(asked).toHaveLength(1_002)
  ask("nothing")
  expect(asked).toHaveLength(1_003)
})
