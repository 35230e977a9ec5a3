import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import {
  addDays,
  type Holidays,
  isBusinessDay,
  type LocalDate,
  nationalBankHolidays,
  nextBusinessDay,
  parseLocalDate,
  withHolidays,
} from "@pixcharge/core/calendar"
import {
  type Cents,
  type DayCount,
  type Discount,
  type Fees,
  type FeesInput,
  isCents,
  parseFees,
} from "@pixcharge/core/money"
import { amountDueOn, type AmountTerms, checkReductions, discountDates } from "@pixcharge/core/charges"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const date = (text: string): LocalDate => Result.getOrThrow(parseLocalDate(text))
const checkedFees = (input: FeesInput): Fees => Result.getOrThrow(parseFees(input))
const terms = (amountCents: number, dueDate: string, fees: FeesInput): AmountTerms => ({
  amountCents: amountCents as Cents,
  dueDate: date(dueDate),
  fees: checkedFees(fees),
})

const interestFor = (amountCents: number, dueDate: string, interest: FeesInput["interest"], paid: string): number =>
  amountDueOn(terms(amountCents, dueDate, interest ? { interest } : {}), date(paid)).interestCents

describe("interest", () => {
  it.each([
    [1000, "2021-02-27", { kind: "fixedPerDay", days: "calendar", amountCents: 10 }, "2021-03-01", 0],
    [1000, "2021-02-27", { kind: "fixedPerDay", days: "calendar", amountCents: 10 }, "2021-03-02", 10],
    [10_000, "2020-11-27", { kind: "fixedPerDay", days: "calendar", amountCents: 100 }, "2020-11-28", 100],
    [10_000, "2020-11-27", { kind: "fixedPerDay", days: "business", amountCents: 100 }, "2020-11-29", 0],
    [10_000, "2020-11-27", { kind: "fixedPerDay", days: "business", amountCents: 100 }, "2020-12-01", 200],
    [3_000_000, "2024-09-04", { kind: "percentPerMonth", days: "calendar", basisPoints: 100 }, "2024-09-05", 999],
    [3_000_000, "2024-09-04", { kind: "percentPerMonth", days: "calendar", basisPoints: 100 }, "2024-10-04", 30_000],
    [3_000_000, "2024-09-04", { kind: "percentPerMonth", days: "business", basisPoints: 100 }, "2024-09-05", 1428],
    [3_000_000, "2024-09-04", { kind: "percentPerDay", days: "calendar", basisPoints: 3 }, "2024-09-14", 9000],
    [3_000_000, "2024-09-04", { kind: "percentPerDay", days: "business", basisPoints: 3 }, "2024-09-14", 6300],
    [3_000_000, "2024-09-04", { kind: "percentPerYear", days: "calendar", basisPoints: 1200 }, "2024-09-05", 999],
    [3_000_000, "2024-09-04", { kind: "percentPerYear", days: "business", basisPoints: 1200 }, "2024-09-05", 1428],
  ] as const)("on %d centavos due %s, %j, paid on %s, is %d centavos", (amount, due, interest, paid, cents) => {
    expect(interestFor(amount, due, interest, paid)).toBe(cents)
  })

  it("truncates its factor at six decimals and its amount at two", () => {
    // 1 % a month for a day is 0.000333(3): the interest on 29 999.99 reais is 9.98999667, truncated to 9.98.
    expect(
      interestFor(
        2_999_999,
        "2024-09-04",
        { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
        "2024-09-05",
      ),
    ).toBe(998)
    // 0.01 % a year for a day is 0.000000277: zero at six decimals.
    expect(
      interestFor(
        999_999_999_999,
        "2024-09-04",
        { kind: "percentPerYear", days: "calendar", basisPoints: 1 },
        "2024-09-05",
      ),
    ).toBe(0)
  })
})

describe("a fine", () => {
  const fine = { fine: { kind: "percent", basisPoints: 200 } } as const

  it("is due once, from the first late day", () => {
    const charge = terms(10_050, "2026-11-19", fine)
    const fines = ["2026-11-18", "2026-11-19", "2026-11-20", "2027-11-19"].map((paid) =>
      amountDueOn(charge, date(paid)),
    )
    expect(fines.map((due) => due.fineCents)).toEqual([0, 0, 201, 201])
  })

  it("isn't due on a moved due date", () => {
    const charge = terms(10_000, "2026-11-20", fine)
    const dues = ["2026-11-20", "2026-11-21", "2026-11-23", "2026-11-24"].map((paid) => amountDueOn(charge, date(paid)))
    expect(dues.map((due) => due.totalCents)).toEqual([10_000, 10_000, 10_000, 10_200])
  })

  it("follows the holidays of the given calendar", () => {
    const holidays = withHolidays(nationalBankHolidays, [date("2026-11-19")])
    const charge = terms(10_000, "2026-11-19", fine)
    expect(amountDueOn(charge, date("2026-11-23")).fineCents).toBe(200)
    expect(amountDueOn(charge, date("2026-11-23"), holidays).fineCents).toBe(0)
  })
})

describe("an abatement", () => {
  it("is always subtracted first; percentages of the other parts apply to the rest", () => {
    const charge = terms(10_000, "2026-11-19", {
      abatement: { kind: "percent", basisPoints: 1000 },
      fine: { kind: "percent", basisPoints: 200 },
      interest: { kind: "percentPerDay", days: "calendar", basisPoints: 100 },
      discount: { kind: "percentPerDayEarly", days: "calendar", basisPoints: 100 },
    })
    expect(amountDueOn(charge, date("2026-11-21"))).toEqual({
      originalCents: 10_000,
      abatementCents: 1000,
      discountCents: 0,
      interestCents: 180,
      fineCents: 180,
      totalCents: 9360,
    })
    expect(amountDueOn(charge, date("2026-11-17"))).toMatchObject({ discountCents: 180, totalCents: 8820 })
    expect(amountDueOn(charge, date("2026-11-19"))).toMatchObject({ totalCents: 9000 })
  })
})

const threeTiers = (kind: "fixedUntil" | "percentUntil"): Discount =>
  kind === "fixedUntil"
    ? { kind, tiers: [4, 3, 2].map((daysBefore, index) => ({ daysBefore, amountCents: 300 - 100 * index })) }
    : { kind, tiers: [4, 3, 2].map((daysBefore, index) => ({ daysBefore, basisPoints: 300 - 100 * index })) }

describe("a discount until dates", () => {
  it.each(["fixedUntil", "percentUntil"] as const)(
    "(%s) becomes smaller with each tier and ends before the due date",
    (kind) => {
      const charge = terms(10_000, "2026-11-13", { discount: threeTiers(kind) })
      const discounts = [
        "2026-10-01",
        "2026-11-09",
        "2026-11-10",
        "2026-11-11",
        "2026-11-12",
        "2026-11-13",
        "2026-12-01",
      ]
      expect(discounts.map((day) => amountDueOn(charge, date(day)).discountCents)).toEqual([
        300, 300, 200, 100, 0, 0, 0,
      ])
    },
  )

  it("moves its dates to business days; if two dates move to one day, the earlier tier counts", () => {
    // Good Friday 2021-04-02 and the two days after it move to Monday 2021-04-05.
    const charge = terms(10_000, "2021-04-06", { discount: threeTiers("fixedUntil") })
    expect(discountDates(threeTiers("fixedUntil"), date("2021-04-06")).map((tier) => tier.date)).toEqual([
      "2021-04-02",
      "2021-04-03",
      "2021-04-04",
    ])
    const discounts = ["2021-04-01", "2021-04-02", "2021-04-04", "2021-04-05", "2021-04-06"]
    expect(discounts.map((day) => amountDueOn(charge, date(day)).discountCents)).toEqual([300, 300, 300, 300, 0])
  })

  it("a tier on the due date ends on the moved due date", () => {
    const charge = terms(10_000, "2026-11-20", {
      discount: { kind: "fixedUntil", tiers: [{ daysBefore: 0, amountCents: 150 }] },
    })
    expect(amountDueOn(charge, date("2026-11-23")).discountCents).toBe(150)
    expect(amountDueOn(charge, date("2026-11-24")).discountCents).toBe(0)
  })

  it("discountDates lists a discount's dates, earliest first, and none for a discount per day", () => {
    expect(
      discountDates({ kind: "percentUntil", tiers: [{ daysBefore: 30, basisPoints: 500 }] }, date("2024-03-30")),
    ).toEqual([{ date: "2024-02-29", kind: "percent", basisPoints: 500 }])
    expect(discountDates({ kind: "fixedPerDayEarly", days: "calendar", amountCents: 1 }, date("2024-03-30"))).toEqual(
      [],
    )
  })
})

const early = (days: DayCount) =>
  terms(10_000, "2026-11-23", { discount: { kind: "fixedPerDayEarly", days, amountCents: 10 } })

describe("a discount per early day", () => {
  it.each([
    ["2026-11-16", 70, 40],
    ["2026-11-18", 50, 20],
    ["2026-11-19", 40, 10],
    ["2026-11-20", 30, 0],
    ["2026-11-22", 10, 0],
    ["2026-11-23", 0, 0],
    ["2026-11-24", 0, 0],
  ])(
    "paid on %s instead of Monday 2026-11-23 is %d centavos by calendar days and %d by business days",
    (paid, calendar, business) => {
      expect(amountDueOn(early("calendar"), date(paid)).discountCents).toBe(calendar)
      expect(amountDueOn(early("business"), date(paid)).discountCents).toBe(business)
    },
  )

  it("counts the days to the moved due date and truncates a percentage once", () => {
    const charge = terms(9999, "2026-11-20", {
      discount: { kind: "percentPerDayEarly", days: "calendar", basisPoints: 7 },
    })
    // Three days to Monday: 99.99 x 0.0007 x 3 is 0.209979.
    expect(amountDueOn(charge, date("2026-11-20")).discountCents).toBe(20)
  })
})

const refusalReason = (charge: AmountTerms, issuedOn: string) => {
  const checked = checkReductions(charge, date(issuedOn))
  return Result.isFailure(checked) ? `${checked.failure.field} ${checked.failure.reason}` : "accepted"
}

describe("reductions that leave no amount to pay", () => {
  const perDay = { discount: { kind: "percentPerDayEarly", days: "business", basisPoints: 1000 } } as const
  it("are refused at issue if no amount would be due on that day", () => {
    // bacen/pix-api issue 408: 10 % for each business day, issued two months ahead.
    const charge = terms(12_345, "2021-07-05", perDay)
    expect(refusalReason(charge, "2021-05-06")).toBe("discount exceedsAmount")
    expect(refusalReason(charge, "2021-06-21")).toBe("discount exceedsAmount")
    expect(refusalReason(charge, "2021-06-22")).toBe("accepted")
    expect(refusalReason(charge, "2021-07-05")).toBe("accepted")
  })

  it("are refused for a later tier of a discount, but not for a past tier", () => {
    const tiers = [
      { daysBefore: 30, amountCents: 500 },
      { daysBefore: 5, amountCents: 1000 },
    ]
    const charge = terms(1000, "2026-11-20", { discount: { kind: "fixedUntil", tiers } })
    expect(refusalReason(charge, "2026-10-01")).toBe("discount exceedsAmount")
    expect(refusalReason(charge, "2026-11-16")).toBe("discount exceedsAmount")
    expect(refusalReason(charge, "2026-11-17")).toBe("accepted")
  })

  it.each([
    [999, "accepted"],
    [1000, "abatement exceedsAmount"],
    [5000, "abatement exceedsAmount"],
  ])("checkReductions for an abatement of %d on 1000 centavos: %s", (amountCents, expected) => {
    expect(refusalReason(terms(1000, "2026-11-19", { abatement: { kind: "fixed", amountCents } }), "2026-11-01")).toBe(
      expected,
    )
  })

  it("are refused if abatement and discount together reach the amount", () => {
    const fees: FeesInput = {
      abatement: { kind: "fixed", amountCents: 600 },
      discount: { kind: "fixedUntil", tiers: [{ daysBefore: 0, amountCents: 400 }] },
    }
    expect(refusalReason(terms(1000, "2026-11-19", fees), "2026-11-01")).toBe("discount exceedsAmount")
    expect(refusalReason(terms(1001, "2026-11-19", fees), "2026-11-01")).toBe("accepted")
  })

  it("are cut to leave one centavo if the charge wasn't checked at issue", () => {
    const both = terms(1000, "2026-11-19", {
      abatement: { kind: "fixed", amountCents: 700 },
      discount: { kind: "fixedPerDayEarly", days: "calendar", amountCents: 200 },
    })
    expect(amountDueOn(both, date("2026-11-01"))).toMatchObject({
      abatementCents: 700,
      discountCents: 299,
      totalCents: 1,
    })
    const nothing = terms(0, "2026-11-19", { abatement: { kind: "fixed", amountCents: 700 } })
    expect(amountDueOn(nothing, date("2026-11-01"))).toMatchObject({ abatementCents: 0, totalCents: 0 })
    const abatement = terms(1000, "2026-11-19", { abatement: { kind: "fixed", amountCents: 5000 } })
    expect(amountDueOn(abatement, date("2026-11-19"))).toMatchObject({ abatementCents: 999, totalCents: 1 })
  })
})

describe("the plain amount", () => {
  const plain = { abatementCents: 0, discountCents: 0, interestCents: 0, fineCents: 0 }
  const fees = checkedFees({ fine: { kind: "fixed", amountCents: 500 }, abatement: { kind: "fixed", amountCents: 10 } })

  it("is due for an immediate charge, on any day and with any fees", () => {
    const due = amountDueOn({ amountCents: 1990 as Cents, fees }, date("2099-01-01"))
    expect(due).toEqual({ originalCents: 1990, ...plain, totalCents: 1990 })
  })

  it("is due for a company without fees", () => {
    const due = amountDueOn({ amountCents: 1990 as Cents, dueDate: date("2026-11-20") }, date("2099-01-01"))
    expect(due).toEqual({ originalCents: 1990, ...plain, totalCents: 1990 })
  })
})

it("amountDueOn throws for a total that can't be exact", () => {
  const charge = terms(999_999_999_999, "2026-11-19", {
    interest: { kind: "percentPerDay", days: "calendar", basisPoints: 1_000_000 },
  })
  expect(amountDueOn(charge, date("2027-01-19")).totalCents).toBe(999_999_999_999 * 6101)
  expect(() => amountDueOn(charge, date("2027-02-28"))).toThrow(/^\d{16,} centavos are beyond 2\^53$/)
})

it("amountDueOn accepts the largest exact total", () => {
  const charge = terms(991, "2026-11-19", {
    interest: { kind: "fixedPerDay", days: "calendar", amountCents: 900_719_925_474 },
  })
  expect(amountDueOn(charge, addDays(date("2026-11-19"), 10_000)).totalCents).toBe(Number.MAX_SAFE_INTEGER)
})

it("amountDueOn charges no fine on a fully abated amount", () => {
  const charge = terms(1000, "2026-11-19", {
    abatement: { kind: "fixed", amountCents: 5000 },
    fine: { kind: "percent", basisPoints: 1_000_000 },
  })
  expect(amountDueOn(charge, date("2026-11-24")).fineCents).toBe(0)
})

/** An exact number, truncated only where the manual says so. */
interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}
const whole = (numerator: number | bigint, denominator = 1): Fraction => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
})
const multiply = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})
const subtract = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator - b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})
const truncate = (value: Fraction, decimals: number): Fraction => {
  const scale = 10n ** BigInt(decimals)
  return { numerator: (value.numerator * scale) / value.denominator, denominator: scale }
}
const toCents = (value: Fraction): number => Number((value.numerator * 100n) / value.denominator)

const reais = (cents: number): Fraction => whole(cents, 100)
const percent = (basisPoints: number): Fraction => whole(basisPoints, 10_000)

const dayMs = 86_400_000
const dueDay = (day: LocalDate): number => Date.parse(day) / dayMs

/** Counts the calendar or business days between two days, one by one. */
const countDays = (from: LocalDate, to: LocalDate, days: DayCount, holidays: Holidays): number => {
  const step = from < to ? 1 : -1
  let count = 0
  for (let day = from; day !== to;) {
    day = addDays(day, step)
    if (days === "calendar" || isBusinessDay(day, holidays)) count++
  }
  return count
}

const periods: Record<string, readonly [calendar: number, business: number]> = {
  percentPerDay: [1, 1],
  percentPerMonth: [30, 21],
  percentPerYear: [360, 252],
}

const oracle = (amountCents: number, dueDate: LocalDate, fees: Fees, paid: LocalDate, holidays: Holidays) => {
  let due = dueDate
  while (!isBusinessDay(due, holidays)) due = addDays(due, 1)
  const late = dueDay(paid) > dueDay(due)
  const original = reais(amountCents)
  const part = (share: FeesInput["fine"], of: Fraction): Fraction => {
    if (share === undefined) return whole(0)
    return share.kind === "fixed" ? reais(share.amountCents) : truncate(multiply(of, percent(share.basisPoints)), 2)
  }
  const abatement = part(fees.abatement, original)
  const base = subtract(original, abatement)
  let interest = whole(0)
  if (late && fees.interest) {
    const days = countDays(due, paid, fees.interest.days, holidays)
    if (fees.interest.kind === "fixedPerDay") interest = multiply(reais(fees.interest.amountCents), whole(days))
    else {
      const period = periods[fees.interest.kind]?.[fees.interest.days === "calendar" ? 0 : 1] ?? 0
      const factor = truncate(multiply(multiply(percent(fees.interest.basisPoints), whole(1, period)), whole(days)), 6)
      interest = truncate(multiply(base, factor), 2)
    }
  }
  let discount = whole(0)
  const offer = fees.discount
  if (offer?.kind === "fixedUntil" || offer?.kind === "percentUntil") {
    const movedTiers = offer.tiers
      .toSorted((a, b) => b.daysBefore - a.daysBefore)
      .map((tier) => ({ tier, until: nextBusinessDay(addDays(dueDate, -tier.daysBefore), holidays) }))
    const first = movedTiers.find(({ until }) => dueDay(paid) <= dueDay(until))?.tier
    if (first && "amountCents" in first) discount = reais(first.amountCents)
    if (first && "basisPoints" in first) discount = truncate(multiply(base, percent(first.basisPoints)), 2)
  } else if (offer && dueDay(paid) < dueDay(due)) {
    const days = whole(countDays(due, paid, offer.days, holidays))
    discount =
      offer.kind === "fixedPerDayEarly"
        ? multiply(reais(offer.amountCents), days)
        : truncate(multiply(multiply(base, percent(offer.basisPoints)), days), 2)
  }
  const fine = late ? part(fees.fine, base) : whole(0)
  const parts = { abatementCents: abatement, discountCents: discount, interestCents: interest, fineCents: fine }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, toCents(value)])) as Record<
    keyof typeof parts,
    number
  >
}

const share = (maxBasisPoints: number) =>
  fc.oneof(
    fc.record({ kind: fc.constant("fixed" as const), amountCents: fc.integer({ min: 1, max: 100_000 }) }),
    fc.record({ kind: fc.constant("percent" as const), basisPoints: fc.integer({ min: 1, max: maxBasisPoints }) }),
  )
const days = fc.constantFrom<DayCount>("calendar", "business")
const basisPoints = fc.integer({ min: 1, max: 5000 })
const amount = fc.integer({ min: 1, max: 5000 })
const makeTiers = <A>(value: fc.Arbitrary<A>) =>
  fc.uniqueArray(fc.tuple(fc.nat(40), value), { minLength: 1, maxLength: 3, selector: ([daysBefore]) => daysBefore })

const interests: fc.Arbitrary<NonNullable<FeesInput["interest"]>> = fc.oneof(
  fc.record({ kind: fc.constant("fixedPerDay" as const), days, amountCents: amount }),
  fc.record({
    kind: fc.constantFrom("percentPerDay" as const, "percentPerMonth", "percentPerYear"),
    days,
    basisPoints,
  }),
)
const discounts: fc.Arbitrary<Discount> = fc.oneof(
  makeTiers(amount).map((tiers): Discount => ({
    kind: "fixedUntil",
    tiers: tiers.map(([daysBefore, amountCents]) => ({ daysBefore, amountCents })),
  })),
  makeTiers(basisPoints).map((tiers): Discount => ({
    kind: "percentUntil",
    tiers: tiers.map(([daysBefore, points]) => ({ daysBefore, basisPoints: points })),
  })),
  fc.record({ kind: fc.constant("fixedPerDayEarly" as const), days, amountCents: amount }),
  fc.record({ kind: fc.constant("percentPerDayEarly" as const), days, basisPoints }),
)
const fees = fc
  .record(
    { fine: share(100_000), interest: interests, abatement: share(9999), discount: discounts },
    { requiredKeys: [] },
  )
  .map((input) => checkedFees(input))
const amounts = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 999_999_999_999 }))
const dueDates = fc
  .integer({ min: Date.parse("2020-01-01") / dayMs, max: Date.parse("2040-12-31") / dayMs })
  .map((day) => new Date(day * dayMs).toISOString().slice(0, 10) as LocalDate)
const calendars = fc.oneof(
  fc.constant(nationalBankHolidays),
  fc.array(dueDates, { maxLength: 30 }).map((local) => withHolidays(nationalBankHolidays, local)),
)
const around = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -8, max: 8 }))
const numRuns = process.env["LONG"] ? 100_000 : 1500

describe("an exact rational oracle", () => {
  it("computes the same parts in all modalities, and their sum as the total", () => {
    fc.assert(
      fc.property(amounts, dueDates, fees, around, calendars, (amountCents, dueDate, someFees, offset, holidays) => {
        const paid = addDays(dueDate, offset)
        const charge = { amountCents: amountCents as Cents, dueDate, fees: someFees }
        const due = amountDueOn(charge, paid, holidays)
        const expected = oracle(amountCents, dueDate, someFees, paid, holidays)
        const fits = expected.abatementCents < amountCents - Math.max(0, expected.discountCents)
        if (fits) expect(due).toMatchObject(expected)
        else expect(due.totalCents - due.interestCents - due.fineCents).toBe(1)
        expect(due.originalCents - due.abatementCents - due.discountCents + due.interestCents + due.fineCents).toBe(
          due.totalCents,
        )
        expect(Object.values(due).every(isCents)).toBe(true)
      }),
      { numRuns },
    )
  })

  it("confirms that reductions accepted at issue are never cut later", () => {
    fc.assert(
      fc.property(amounts, dueDates, fees, fc.nat(60), fc.nat(120), (amountCents, dueDate, someFees, ahead, after) => {
        const issuedOn = addDays(dueDate, -ahead)
        const charge = { amountCents: amountCents as Cents, dueDate, fees: someFees }
        if (Result.isFailure(checkReductions(charge, issuedOn))) return
        const paid = addDays(issuedOn, after)
        const expected = oracle(amountCents, dueDate, someFees, paid, nationalBankHolidays)
        expect(amountDueOn(charge, paid)).toMatchObject(expected)
      }),
      { numRuns },
    )
  })

  it("confirms that a later payment never costs less if the tiers fall", () => {
    const falling = fees.filter(({ discount }) => {
      if (discount?.kind !== "fixedUntil" && discount?.kind !== "percentUntil") return true
      const values = discount.tiers.map((tier) => ("amountCents" in tier ? tier.amountCents : tier.basisPoints))
      return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? 0))
    })
    fc.assert(
      fc.property(amounts, dueDates, falling, around, fc.nat(20), (amountCents, dueDate, someFees, offset, more) => {
        const charge = { amountCents: amountCents as Cents, dueDate, fees: someFees }
        const earlier = amountDueOn(charge, addDays(dueDate, offset))
        const later = amountDueOn(charge, addDays(dueDate, offset + more))
        expect(later.totalCents).toBeGreaterThanOrEqual(earlier.totalCents)
      }),
      { numRuns },
    )
  })

  it("confirms that neither interest nor fine is due before the moved due date", () => {
    fc.assert(
      fc.property(amounts, dueDates, fees, calendars, (amountCents, dueDate, someFees, holidays) => {
        const charge = { amountCents: amountCents as Cents, dueDate, fees: someFees }
        for (let day = dueDate; day <= nextBusinessDay(dueDate, holidays); day = addDays(day, 1)) {
          expect(amountDueOn(charge, day, holidays)).toMatchObject({ interestCents: 0, fineCents: 0 })
        }
      }),
      { numRuns: 500 },
    )
  })
})
