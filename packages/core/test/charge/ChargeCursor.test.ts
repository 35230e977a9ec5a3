import { aChargeId } from "@pixcharge/testkit/fixtures"
import { expect, it } from "vitest"
import { formatChargeCursor, parseChargeCursor } from "../../src/charge/ChargeCursor.ts"

const id = aChargeId()

it.each([0, 1_782_907_200_000, -86_400_000, 0.5])("a cursor made at %d is read back", (createdAt) => {
  const position = { createdAt, id }
  expect(parseChargeCursor(formatChargeCursor(position))).toEqual(position)
})

it.each([
  "",
  id,
  `_${id}`,
  `-_${id}`,
  `.5_${id}`,
  `1._${id}`,
  `1e3_${id}`,
  ` 1_${id}`,
  `1 _${id}`,
  `99999999999999999999_${id}`,
  "1_",
  `1_${id}\n`,
  "1_not an id",
])("%j is no cursor", (text) => {
  expect(parseChargeCursor(text)).toBeUndefined()
})
