import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type FeesInput, InvalidFees, parseFees } from "@pixcharge/core/money"

const validFees: ReadonlyArray<FeesInput> = [
  {},
  { fine: { kind: "fixed", amountCents: 1 } },
  { fine: { kind: "fixed", amountCents: 999_999_999_999 } },
  { fine: { kind: "percent", basisPoints: 1 } },
  { fine: { kind: "percent", basisPoints: 1_000_000 } },
  { interest: { kind: "fixedPerDay", days: "calendar", amountCents: 10 } },
  { interest: { kind: "percentPerDay", days: "business", basisPoints: 3 } },
  { interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 } },
  { interest: { kind: "percentPerYear", days: "business", basisPoints: 1_000_000 } },
  { abatement: { kind: "fixed", amountCents: 999_999_999_999 } },
  { abatement: { kind: "percent", basisPoints: 9999 } },
  { discount: { kind: "fixedUntil", tiers: [{ daysBefore: 0, amountCents: 100 }] } },
  { discount: { kind: "percentUntil", tiers: [{ daysBefore: 3650, basisPoints: 9999 }] } },
  {
    discount: {
      kind: "fixedUntil",
      tiers: [
        { daysBefore: 2, amountCents: 3 },
        { daysBefore: 1, amountCents: 2 },
        { daysBefore: 0, amountCents: 1 },
      ],
    },
  },
  { discount: { kind: "fixedPerDayEarly", days: "business", amountCents: 5 } },
  { discount: { kind: "percentPerDayEarly", days: "calendar", basisPoints: 1 } },
]

const fixed = (amountCents: unknown) => ({ kind: "fixed", amountCents })
const percent = (basisPoints: unknown) => ({ kind: "percent", basisPoints })
const tier = (daysBefore: unknown, amountCents: unknown = 1) => ({ daysBefore, amountCents })

const problems: Readonly<Record<string, string>> = {
  kind: "must be of a known kind",
  days: 'must count "calendar" or "business" days',
  amount: "must have a whole number of centavos from 1 to 999999999999",
  percent: "must have a whole number of basis points, from 1 to 9999 for a reduction, to 1000000 otherwise",
  tiers: "must have one to three tiers, each with its own whole number of days before the due date, from 0 to 3650",
}

describe("parseFees", () => {
  it.each(validFees)("accepts %j", (input) => {
    expect(Result.getOrThrow(parseFees(input))).toEqual(input)
  })

  it.each<[unknown, string, string]>([
    [{ fine: fixed(0) }, "fine", "amount"],
    [{ fine: fixed(-1) }, "fine", "amount"],
    [{ fine: fixed(0.5) }, "fine", "amount"],
    [{ fine: fixed("100") }, "fine", "amount"],
    [{ fine: fixed(1_000_000_000_000) }, "fine", "amount"],
    [{ fine: percent(0) }, "fine", "percent"],
    [{ fine: percent(2.5) }, "fine", "percent"],
    [{ fine: percent(Number.NaN) }, "fine", "percent"],
    [{ fine: percent(1_000_001) }, "fine", "percent"],
    [{ fine: { kind: "percentPerDay", basisPoints: 1 } }, "fine", "kind"],
    [{ interest: { kind: "fixedPerDay", days: "working", amountCents: 1 } }, "interest", "days"],
    [{ interest: { kind: "percentPerMonth", basisPoints: 1 } }, "interest", "days"],
    [{ interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 0.03 } }, "interest", "percent"],
    [{ interest: { kind: "percentPerWeek", days: "calendar", basisPoints: 1 } }, "interest", "kind"],
    [{ interest: { kind: "percentPerDay", basisPoints: 1 } }, "interest", "days"],
    [{ interest: { kind: "percentPerDay", days: "business", basisPoints: 0 } }, "interest", "percent"],
    [{ interest: { kind: "percentPerYear", basisPoints: 1 } }, "interest", "days"],
    [{ interest: { kind: "percentPerYear", days: "business", basisPoints: 0 } }, "interest", "percent"],
    [{ interest: { kind: "fixedPerDay", days: "calendar", amountCents: 0 } }, "interest", "amount"],
    [{ discount: { kind: "fixedPerDayEarly", days: "calendar", amountCents: 0 } }, "discount", "amount"],
    [{ discount: { kind: "percentPerDayEarly", days: "", basisPoints: 1 } }, "discount", "days"],
    [{ abatement: fixed(0) }, "abatement", "amount"],
    [{ abatement: percent(10_000) }, "abatement", "percent"],
    [{ abatement: {} }, "abatement", "kind"],
    [{ discount: { kind: "fixedUntil", tiers: [] } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil" } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil", tiers: [tier(1), tier(2), tier(3), tier(4)] } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil", tiers: [tier(5), tier(5)] } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil", tiers: [tier(-1)] } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil", tiers: [tier(1.5)] } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil", tiers: [tier(3651)] } }, "discount", "tiers"],
    [{ discount: { kind: "fixedUntil", tiers: [tier(1), tier(2, 0)] } }, "discount", "amount"],
    [{ discount: { kind: "percentUntil", tiers: [{ daysBefore: 1, basisPoints: 10_000 }] } }, "discount", "percent"],
    [{ discount: { kind: "percentPerDayEarly", days: "calendar", basisPoints: 10_000 } }, "discount", "percent"],
    [{ discount: { kind: "fixedPerDayEarly", days: "", amountCents: 1 } }, "discount", "days"],
    [{ discount: { kind: "until" } }, "discount", "kind"],
    [{ discount: { kind: "fixedUntil", tiers: [null] } }, "discount", "tiers"],
    [{ fine: null }, "fine", "kind"],
    [{ interest: 0 }, "interest", "kind"],
    [{ abatement: "" }, "abatement", "kind"],
    [{ discount: false }, "discount", "kind"],
  ])("refuses %j, which has a wrong %s (%s)", (input, field, reason) => {
    const error = Result.getOrThrow(Result.flip(parseFees(input as FeesInput)))
    expect(error).toBeInstanceOf(InvalidFees)
    expect(error).toMatchObject({ _tag: "InvalidFees", field, reason })
    expect(error.message).toBe(`The ${field} ${problems[reason]}: correct it in the registration.`)
  })

  it("sorts a discount's tiers by date without changing the input", () => {
    const tiers = [
      { daysBefore: 5, amountCents: 2 },
      { daysBefore: 10, amountCents: 3 },
      { daysBefore: 0, amountCents: 1 },
    ]
    const fees = Result.getOrThrow(parseFees({ discount: { kind: "fixedUntil", tiers } }))
    expect(fees.discount).toMatchObject({ tiers: [{ daysBefore: 10 }, { daysBefore: 5 }, { daysBefore: 0 }] })
    expect(tiers.map((one) => one.daysBefore)).toEqual([5, 10, 0])
  })
})
