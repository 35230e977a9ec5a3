import { expect, it } from "vitest"
import { remembered } from "../src/remembered.ts"

it("an answer is found once, an answer of nothing included, and no more than 1000 are kept", () => {
  const asked: Array<string> = []
  const ask = remembered((text) => {
    asked.push(text)
    return text === "nothing" ? undefined : text.length
  })
  for (const text of ["a", "nothing", "a", "nothing"]) expect(ask(text)).toBe(text === "a" ? 1 : undefined)
  expect(asked).toEqual(["a", "nothing"])
  for (let n = 0; n < 998; n++) ask(`x${n}`)
  ask("a")
  expect(asked).toHaveLength(1_000)
  // One more, and the first ones are forgotten.
  ask("one too many")
  ask("a")
  expect(asked.slice(1_000)).toEqual(["one too many", "a"])
})
