import type { LocalDate } from "@pixcharge/core/calendar"
import { addDays } from "@pixcharge/core/calendar"
import {
  amountDueOn,
  type ChargeFeesInput,
  chargeFees,
  type ChargeRequestInput,
  parseChargeRequest,
} from "@pixcharge/core/charges"
import { type Cents, type Fees, parseFees } from "@pixcharge/core/money"
import { arbitrary } from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { earlierChargeFees } from "../../src/model/charge/RequestedTerms.ts"

const day = (text: string) => text as LocalDate
const dueDate = day("2026-07-20")
const request = { id: "6f9619ff-8b86-d011-b42d-00cf4fc964ff", amountCents: 100_000, dueDate }

const requested = (more: Partial<ChargeRequestInput>) =>
  Result.getOrThrow(parseChargeRequest({ ...request, ...more })).requested

const refusedField = (more: object) => {
  const parsed = parseChargeRequest({ ...request, ...more } as ChargeRequestInput)
  return Result.isFailure(parsed) ? parsed.failure.field : "none"
}

const fine = { kind: "percent", basisPoints: 200 } as const
const interest = { kind: "percentPerMonth", days: "calendar", basisPoints: 100 } as const
const abatement = { kind: "fixed", amountCents: 5_000 } as const
const tiers = (...all: ReadonlyArray<object | null>) => ({ kind: "percentUntil", tiers: all })
const tenBefore = { daysBefore: 10, basisPoints: 500 }

describe("a request's own fees", () => {
  it("are absent if it doesn't name any", () => {
    for (const more of [{}, { fees: undefined }, { fees: {} }, { fees: { fine: undefined } }, { graceDays: undefined }])
      expect(requested(more)).toBeUndefined()
  })

  it("can waive a part, or all parts", () => {
    expect(requested({ fees: { fine: "none" } })).toEqual({ fees: { fine: "none" } })
    const all = { fine: "none", interest: "none", abatement: "none", discount: "none" } as const
    expect(requested({ fees: "none" })).toEqual({ fees: all })
    expect(requested({ fees: all })).toEqual({ fees: all })
  })

  it("have a discount's tiers in date order, by days or by date", () => {
    const discount = {
      kind: "percentUntil",
      tiers: [
        { daysBefore: 0, basisPoints: 100 },
        { date: "2026-07-10", basisPoints: 500 },
        { daysBefore: 5, basisPoints: 250 },
      ],
    } as const
    const [last, first, second] = discount.tiers
    expect(requested({ fees: { discount } })).toEqual({
      fees: { discount: { kind: "percentUntil", tiers: [first, second, last] } },
    })
  })

  it("are copied without unknown and undefined fields", () => {
    const given = { kind: "fixed", amountCents: 7, days: undefined, note: "Ana" } as const
    const fees = requested({ fees: { fine: given, interest: undefined } })?.fees
    expect(JSON.stringify(fees)).toBe('{"fine":{"kind":"fixed","amountCents":7}}')
    expect(Object.keys(fees?.fine ?? {})).toEqual(["kind", "amountCents"])
  })

  it.each<[unknown, string]>([
    ["all", "fees"],
    [null, "fees"],
    [[], "fees"],
    [7, "fees"],
    [{ fine: "None" }, "fees.fine"],
    [{ fine: null }, "fees.fine"],
    [{ fine: { kind: "percent", basisPoints: 0 } }, "fees.fine"],
    [{ fine: { kind: "percent", basisPoints: 1_000_001 } }, "fees.fine"],
    [{ fine: { kind: "fixed", amountCents: 1_000_000_000_000 } }, "fees.fine"],
    [{ interest: { kind: "percentPerMonth", basisPoints: 100 } }, "fees.interest"],
    [{ abatement: { kind: "percent", basisPoints: 10_000 } }, "fees.abatement"],
    [{ fine: "none", discount: { kind: "percentUntil" } }, "fees.discount"],
    [{ discount: tiers() }, "fees.discount"],
    [{ discount: tiers(null) }, "fees.discount"],
    [{ discount: tiers({ basisPoints: 100 }) }, "fees.discount"],
    [{ discount: tiers({ daysBefore: 1, date: "2026-07-19", basisPoints: 100 }) }, "fees.discount"],
    [{ discount: tiers({ date: "2026-07-21", basisPoints: 100 }) }, "fees.discount"],
    [{ discount: tiers({ date: "2016-07-01", basisPoints: 100 }) }, "fees.discount"],
    [{ discount: tiers({ date: "2026-06-31", basisPoints: 100 }) }, "fees.discount"],
    [{ discount: tiers({ date: 20_260_719, basisPoints: 100 }) }, "fees.discount"],
    [{ discount: tiers({ date: "2026-07-19", amountCents: 100 }) }, "fees.discount"],
    [{ discount: tiers({ date: "2026-07-10", basisPoints: 1 }, { daysBefore: 10, basisPoints: 2 }) }, "fees.discount"],
    [
      { discount: tiers(tenBefore, ...[3, 2, 1].map((daysBefore) => ({ daysBefore, basisPoints: 1 }))) },
      "fees.discount",
    ],
    [{ discount: { kind: "percentPerDayEarly", basisPoints: 1 } }, "fees.discount"],
  ])("are refused as %j, by the registration's bounds: the error names %s", (fees, field) => {
    expect(refusedField({ fees })).toBe(field)
  })

  it("and its grace days need a due date", () => {
    expect(refusedField({ fees: { fine }, dueDate: undefined })).toBe("fees")
    expect(refusedField({ fees: {}, dueDate: undefined })).toBe("fees")
    expect(refusedField({ graceDays: 5, dueDate: undefined })).toBe("graceDays")
  })

  it("is accepted as any registration's fees are", () => {
    fc.assert(
      fc.property(arbitrary.dueDate, arbitrary.fees, (due, fees) => {
        expect(requested({ dueDate: due, fees })).toEqual(Object.keys(fees).length === 0 ? undefined : { fees })
      }),
    )
  })
})

describe("a request's grace days", () => {
  it("are 1 to 3 650 whole days, as in a registration", () => {
    for (const graceDays of [1, 3_650]) expect(requested({ graceDays })).toEqual({ graceDays })
    for (const graceDays of [0, -1, 1.5, 3_651, "5", null, Number.NaN])
      expect(refusedField({ graceDays })).toBe("graceDays")
  })
})

describe("the fees of a charge", () => {
  const registered = Result.getOrThrow(
    parseFees({ fine, interest, discount: { kind: "percentUntil", tiers: [tenBefore] } }),
  )
  const unregistered = Result.getOrThrow(parseFees({}))
  const early = day("2026-07-01")
  const feesOf = (own: ChargeFeesInput | "none", issuedOn = early, from = registered) =>
    chargeFees({ requested: requested({ fees: own })?.fees, registered: from, dueDate }, issuedOn)
  const dueOn = (fees: Fees | undefined, on: string) =>
    amountDueOn({ amountCents: 100_000 as Cents, dueDate, ...(fees && { fees }) }, day(on)).totalCents

  it("are the registration's without a request's own", () => {
    expect(chargeFees({ registered, dueDate }, early)).toBe(registered)
    expect(chargeFees({ dueDate }, early)).toBeUndefined()
  })

  it("are for each part the request's, or else the registration's", () => {
    expect(feesOf({ fine: { kind: "fixed", amountCents: 7 }, abatement, discount: "none" })).toEqual({
      fine: { kind: "fixed", amountCents: 7 },
      interest,
      abatement,
    })
    expect(feesOf({ fine }, early, unregistered)).toEqual({ fine })
    expect(feesOf("none")).toBeUndefined()
    expect(feesOf({ fine: "none" }, early, unregistered)).toBeUndefined()
  })

  it("make the amounts that a school reckons by hand", () => {
    // R$ 1 000,00 due on Monday 20 July 2026. A sibling's abatement of R$ 50,00; 8 % off R$ 950,00 by 3 July, 4 % by the 10th.
    const fees = feesOf({
      abatement,
      fine: { kind: "percent", basisPoints: 100 },
      interest: "none",
      discount: {
        kind: "percentUntil",
        tiers: [
          { date: "2026-07-03", basisPoints: 800 },
          { daysBefore: 10, basisPoints: 400 },
        ],
      },
    })
    expect(dueOn(fees, "2026-07-03")).toBe(87_400)
    expect(dueOn(fees, "2026-07-04")).toBe(91_200)
    expect(dueOn(fees, "2026-07-10")).toBe(91_200)
    expect(dueOn(fees, "2026-07-11")).toBe(95_000)
    expect(dueOn(fees, "2026-07-20")).toBe(95_000)
    // One day late the fine alone: 1 % of R$ 950,00.
    expect(dueOn(fees, "2026-07-21")).toBe(95_950)
    // The registration's: 5 % by the 10th; late, 2 % and 1 % a month for ten days, a factor of 0.003333.
    expect(dueOn(registered, "2026-07-10")).toBe(95_000)
    expect(dueOn(registered, "2026-07-30")).toBe(102_333)
    expect(dueOn(feesOf("none"), "2026-07-30")).toBe(100_000)
  })

  it("omit tiers whose date has passed, and a discount without a tier", () => {
    const discount = {
      kind: "fixedUntil",
      tiers: [
        { daysBefore: 10, amountCents: 300 },
        { daysBefore: 5, amountCents: 200 },
      ],
    } as const
    const from = Result.getOrThrow(parseFees({ discount }))
    expect(chargeFees({ registered: from, dueDate }, day("2026-07-10"))).toBe(from)
    const second = { discount: { kind: "fixedUntil", tiers: [discount.tiers[1]] } }
    expect(chargeFees({ registered: from, dueDate }, day("2026-07-11"))).toEqual(second)
    expect(chargeFees({ registered: from, dueDate }, day("2026-07-15"))).toEqual(second)
    expect(chargeFees({ registered: from, dueDate }, day("2026-07-16"))).toBeUndefined()
    expect(feesOf({ discount, fine }, day("2026-07-16"), unregistered)).toEqual({ fine })
    const perDay = { kind: "fixedPerDayEarly", days: "calendar", amountCents: 1 } as const
    expect(feesOf({ discount: perDay }, dueDate, unregistered)).toEqual({ discount: perDay })
  })

  it("had more tiers on earlier days, which an earlier call can have sent", () => {
    const from = Result.getOrThrow(
      parseFees({ fine, discount: { kind: "percentUntil", tiers: [tenBefore, { daysBefore: 5, basisPoints: 250 }] } }),
    )
    const on = (issuedOn: string) => earlierChargeFees({ registered: from, dueDate }, day(issuedOn))
    expect(on("2026-07-10")).toEqual([])
    expect(on("2026-07-11")).toEqual([from])
    expect(on("2026-07-16")).toEqual([
      from,
      { fine, discount: { kind: "percentUntil", tiers: [{ daysBefore: 5, basisPoints: 250 }] } },
    ])
  })

  it("never make the amount due from the day of issue on differ from the fees with all tiers, on business days", () => {
    fc.assert(
      fc.property(
        arbitrary.fees,
        fc.integer({ min: 0, max: 15 }),
        fc.integer({ min: 0, max: 40 }),
        (all, before, later) => {
          const issuedOn = addDays(dueDate, -before)
          const on = addDays(issuedOn, later)
          // The tiers, on 10 and 15 July 2026, are business days, so they don't move past a day of issue.
          const open = chargeFees({ registered: all, dueDate }, issuedOn)
          expect(dueOn(open, on)).toBe(dueOn(all, on))
        },
      ),
    )
  })
})
