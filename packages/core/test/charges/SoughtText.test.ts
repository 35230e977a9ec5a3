import { expect, it } from "vitest"
import { readSoughtText } from "../../src/charges/rules/SoughtText.ts"

it.each([
  ["the beginning with the payer's institution", "E12345678"],
  ["a whole id", `E${"1".repeat(31)}`],
])("%s of an end-to-end id is looked for as one", (_, text) => {
  expect(readSoughtText(text).endToEndId).toBe(text)
})

it.each([
  ["fewer characters than that", "E1234567"],
  ["more characters than an id has", `E${"1".repeat(32)}`],
  ["something before it", "xE12345678"],
])("%s is no end-to-end id", (_, text) => {
  expect(readSoughtText(text).endToEndId).toBeUndefined()
})
