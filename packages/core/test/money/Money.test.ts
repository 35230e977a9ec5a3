import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import {
  type Cents,
  centsFromDecimal,
  centsFromReais,
  decimalFromCents,
  formatBrl,
  InvalidAmount,
  isCents,
  maximumChargeCents,
  minimumChargeCents,
  reaisFromCents,
  parseCents,
} from "@pixcharge/core/money"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const toCents = (reais: number): number => Result.getOrThrow(centsFromReais(reais))

const refusalReason = (result: Result.Result<Cents, InvalidAmount>): string | undefined =>
  Result.isFailure(result) ? result.failure.reason : undefined

const runs = process.env["LONG"] ? 100_000 : 5_000
const anyCents = fc.integer({ min: 0, max: maximumChargeCents }).map((n) => n as Cents)

describe("centsFromReais", () => {
  it.each([
    [0, 0],
    [0.01, 1],
    [0.1, 10],
    [0.29, 29],
    [1, 100],
    [1.1, 110],
    [4.35, 435],
    [8.2, 820],
    [19.9, 1990],
    [1.15, 115],
    [64.1, 6410],
    [1_234_567.89, 123_456_789],
    [9_999_999_999.99, 999_999_999_999],
    [70_368_744_177_663.98, 7_036_874_417_766_398],
    [70_368_744_177_663.99, 7_036_874_417_766_399],
  ])("%d reais are %d centavos", (reais, cents) => {
    expect(toCents(reais)).toBe(cents)
  })

  it("reads minus zero as zero", () => {
    expect(Object.is(toCents(-0), 0)).toBe(true)
  })

  it.each([
    [Number.NaN, "notANumber"],
    [Number.POSITIVE_INFINITY, "notANumber"],
    [Number.NEGATIVE_INFINITY, "notANumber"],
    [-0.01, "negative"],
    [-19.9, "negative"],
    [-1e-9, "negative"],
    [1.005, "tooManyDecimals"],
    [0.001, "tooManyDecimals"],
    [0.1 + 0.2, "tooManyDecimals"],
    [19.989_999_999_999_99, "tooManyDecimals"],
    [1e-7, "tooManyDecimals"],
    [5e-324, "tooManyDecimals"],
    [2 ** 46, "tooLarge"],
    [JSON.parse("90071992547409.91"), "tooLarge"],
    [90_071_992_547_410, "tooLarge"],
    [1e20, "tooLarge"],
    [1e21, "tooLarge"],
    [Number.MAX_VALUE, "tooLarge"],
  ])("refuses %d reais: %s", (reais, reason) => {
    expect(refusalReason(centsFromReais(reais))).toBe(reason)
  })

  it("agrees with the decimal form of every JSON number with two decimals", () => {
    fc.assert(
      fc.property(anyCents, (cents) => {
        const text = `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`
        expect(toCents(JSON.parse(text))).toBe(cents)
        expect(reaisFromCents(cents)).toBe(Number(text))
        expect(toCents(JSON.parse(JSON.stringify(reaisFromCents(cents))))).toBe(cents)
      }),
      { numRuns: runs },
    )
  })

  it("accepts a number only if its shortest decimal form has at most two decimals", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (reais) => {
        const decimals = /^\d+(?:\.(\d+))?$/.exec(String(reais))?.[1] ?? (reais < 1e-6 && reais > 0 ? "many" : "")
        const cents = centsFromReais(reais)
        if (reais >= 2 ** 46) expect(refusalReason(cents)).toBe("tooLarge")
        else if (decimals.length > 2) expect(refusalReason(cents)).toBe("tooManyDecimals")
        else expect(Result.getOrThrow(cents) / 100).toBe(reais)
      }),
      { numRuns: runs },
    )
  })
})

describe("an amount of API Pix", () => {
  it.each([
    [0, "0.00"],
    [1, "0.01"],
    [99, "0.99"],
    [100, "1.00"],
    [199_000, "1990.00"],
    [maximumChargeCents, "9999999999.99"],
  ])("writes %d centavos as %s and reads them back", (cents, text) => {
    expect(decimalFromCents(cents as Cents)).toBe(text)
    expect(Result.getOrThrow(centsFromDecimal(text))).toBe(cents)
  })

  it.each([
    "",
    "1",
    "1.0",
    "1.000",
    "1,00",
    "-1.00",
    "+1.00",
    " 1.00",
    "1.00\n",
    "1e2.00",
    "12345678901.00",
    "١.00",
    ".50",
  ])("refuses %j", (text) => {
    expect(refusalReason(centsFromDecimal(text))).toBe("malformed")
  })

  it("is read back as the amount that was written", () => {
    fc.assert(
      fc.property(anyCents, (cents) => {
        expect(Result.getOrThrow(centsFromDecimal(decimalFromCents(cents)))).toBe(cents)
      }),
      { numRuns: runs },
    )
  })
})

describe("formatBrl", () => {
  it.each([
    [0, "R$ 0,00"],
    [5, "R$ 0,05"],
    [100, "R$ 1,00"],
    [99_999, "R$ 999,99"],
    [100_000, "R$ 1.000,00"],
    [123_456, "R$ 1.234,56"],
    [100_000_000, "R$ 1.000.000,00"],
    [maximumChargeCents, "R$ 9.999.999.999,99"],
  ])("%d centavos are %s", (cents, text) => {
    expect(formatBrl(cents as Cents)).toBe(text)
  })

  it("agrees with the host's pt-BR format, except for its no-break space", () => {
    const intl = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })
    fc.assert(
      fc.property(anyCents, (cents) => {
        expect(formatBrl(cents)).toBe(intl.format(cents / 100).replace("\u00a0", " "))
      }),
      { numRuns: 2000 },
    )
  })
})

it("isCents accepts whole, non-negative and exact numbers", () => {
  expect([0, 1, Number.MAX_SAFE_INTEGER].every(isCents)).toBe(true)
  expect([-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY].some(isCents)).toBe(false)
})

it.each([
  [0, undefined],
  [1990, undefined],
  [-1, "negative"],
  [-0.5, "negative"],
  [0.5, "notWhole"],
  [2 ** 53, "notWhole"],
  [Number.NaN, "notANumber"],
  [Number.NEGATIVE_INFINITY, "notANumber"],
])("parseCents reads %d, or refuses it as: %s", (value, reason) => {
  const parsed = parseCents(value)
  expect(Result.isFailure(parsed) ? parsed.failure.reason : undefined).toBe(reason)
})

it("parseCents reads -0 as 0", () => {
  expect(Object.is(Result.getOrThrow(parseCents(-0)), 0)).toBe(true)
})

it("the amount of a charge is from 1 to 999 999 999 999 centavos", () => {
  expect([minimumChargeCents, maximumChargeCents]).toEqual([1, 999_999_999_999])
})

it.each([
  [Number.NaN, "notANumber", "An amount must be a finite number."],
  [-1, "negative", "An amount must not be negative."],
  [1.005, "tooManyDecimals", "An amount has at most two decimals."],
  [2 ** 46, "tooLarge", "An amount must stay below 2^46 reais, beyond which numbers lie more than a centavo apart."],
  ["1,00", "malformed", "An amount is written as digits, a point and two decimals."],
])("explains the refusal of %j", (amount, reason, message) => {
  const parsed = typeof amount === "string" ? centsFromDecimal(amount) : centsFromReais(amount)
  const error = Result.getOrThrow(Result.flip(parsed))
  expect(error).toBeInstanceOf(InvalidAmount)
  expect(error).toMatchObject({ _tag: "InvalidAmount", reason, message })
})
