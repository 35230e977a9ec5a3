import { inspect } from "node:util"
import { isOfOurs, TaggedError } from "@pixcharge/core/internal"
import { expect, it } from "vitest"

class TooLate extends TaggedError("TooLate")<{ readonly minutes: number }> {
  override get message(): string {
    return `It is ${this.minutes} minutes too late.`
  }
}

const error = new TooLate({ minutes: 3 })

it("has its tag, a code in Node's form, its fields and its message", () => {
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

it("prints like Node's errors, and has its message in JSON", () => {
  expect(inspect(error)).toMatch(/^TooLate: It is 3 minutes too late\.\n {4}at /)
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    _tag: "TooLate",
    code: "PIX_TOO_LATE",
    minutes: 3,
    message: "It is 3 minutes too late.",
  })
})

it("enumerates only its own fields", () => {
  const names: Array<string> = []
  for (const name in error) names.push(name)
  expect(names.toSorted()).toEqual(["_tag", "code", "minutes"])
})
