import { inspect } from "node:util"
import { isOfOurs, TaggedError } from "@pixcharge/core/internal"
import { expect, it } from "vitest"

class TooLate extends TaggedError("TooLate")<{ readonly minutes: number }> {
  override get message(): string {
    return `It is ${this.minutes} minutes too late.`
  }
}

const error = new TooLate({ minutes: 3 })

it("an error has its tag, its code in Node's form, its fields and its sentence", () => {
  expect(error).toBeInstanceOf(Error)
  expect(isOfOurs(error)).toBe(true)
  expect({ ...error, name: error.name, tag: error._tag, message: error.message }).toMatchObject({
    name: "TooLate",
    tag: "TooLate",
    code: "PIX_TOO_LATE",
    minutes: 3,
    message: "It is 3 minutes too late.",
  })
})

it("shows itself as Node's errors do, and as JSON with its sentence", () => {
  expect(inspect(error)).toMatch(/^TooLate: It is 3 minutes too late\.\n {4}at /)
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    _tag: "TooLate",
    code: "PIX_TOO_LATE",
    minutes: 3,
    message: "It is 3 minutes too late.",
  })
})

it("has nothing that can be enumerated but its own fields, so that a logger copies no more", () => {
  const names: Array<string> = []
  for (const name in error) names.push(name)
  expect(names.toSorted()).toEqual(["_tag", "code", "minutes"])
})
