import { expect, it } from "vitest"
import { maskPayer } from "../src/parts/formats.ts"
import { readPeriod } from "../src/parts/period.ts"
import { readReais } from "../src/parts/field.ts"

it.each([
  ["12,50", 1_250],
  ["12,5", 1_250],
  ["12", 1_200],
  [" R$ 1.234,56 ", 123_456],
  ["1234,56", 123_456],
  ["0,01", 1],
  ["9.999.999.999,99", 999_999_999_999],
  ["12.50", undefined],
  ["1.23,45", undefined],
  ["12,505", undefined],
  ["1e3", undefined],
  ["-5", undefined],
  ["", undefined],
])("parses the amount %j as %s cents", (text, cents) => {
  expect(readReais(text)).toBe(cents)
})

it("masks a payer except the first letters, in any script, and the middle of the tax id", () => {
  expect(maskPayer({ name: " Íris  de Ávila ", taxId: "52998224725" as never })).toBe("Í*** d*** Á*** · ***.982.247-**")
  expect(maskPayer({ name: "𝒜 S.A.", taxId: "12345678000195" as never })).toBe("𝒜*** S*** · **.345.678/****-**")
})

// 23:30 on 28 February in Brasília, when it is already March in UTC.
const now = Date.UTC(2027, 2, 1, 2, 30)

it("reads a period of whole days in Brasília, by default the last days including today", () => {
  expect(readPeriod({}, { days: 7 }, now)).toEqual({
    from: "2027-02-22",
    until: "2027-02-28",
    period: { from: Date.UTC(2027, 1, 22, 3), until: Date.UTC(2027, 2, 1, 3) },
  })
  expect(readPeriod({ from: "05/01/2027" }, { days: 7 }, now)).toMatchObject({
    from: "2027-01-05",
    until: "2027-01-05",
  })
  expect(readPeriod({ from: "2027-01-05", until: "2027-01-06" }, { days: 7, maxDays: 2 }, now).problem).toBeUndefined()
  expect(readPeriod({ from: "2027-01-05", until: "2027-01-07" }, { days: 7, maxDays: 2 }, now).problem).toEqual({
    field: "ate",
    text: "O período pode ter no máximo 2 dias.",
  })
})
