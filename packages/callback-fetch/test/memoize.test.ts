import { expect, it } from "vitest"
import { memoize } from "../src/memoize.ts"

it("computes each result once, even an undefined one, and keeps at most 1000", () => {
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
  // Used entries stay, unused ones are forgotten.
  ask("a")
  expect(asked).toHaveLength(1_002)
  ask("nothing")
  expect(asked).toHaveLength(1_003)
})
