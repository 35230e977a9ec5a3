import { expect, it } from "vitest"
import { rule } from "../../src/plain/Rule.ts"

it("returns a RangeError in the safe form, and throws any other error", () => {
  const outOfRange = new RangeError("no date has the year 10000")
  const broken = new TypeError("broken")
  const throwing = (error: Error) =>
    rule(() => {
      throw error
    })
  expect(throwing(outOfRange).safe()).toEqual({ ok: false, error: outOfRange })
  expect(() => throwing(outOfRange)()).toThrow(outOfRange)
  expect(() => throwing(broken).safe()).toThrow(broken)
})
