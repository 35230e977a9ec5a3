import * as brcode from "@pixcharge/core/brcode"
import * as calendar from "@pixcharge/core/calendar"
import * as charge from "@pixcharge/core/charges"
import * as money from "@pixcharge/core/money"
import * as party from "@pixcharge/core/party"
import * as plain from "@pixcharge/core/plain"
import * as recurrence from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const { getOrThrow } = Result
const date = (text: string) => getOrThrow(calendar.parseLocalDate(text))

const anyDate = fc.integer({ min: 0, max: 60_000 }).map((days) => calendar.addDays(date("1970-01-01"), days))
/** Valid and invalid dates. */
const anyDateText = fc.oneof(
  { weight: 4, arbitrary: anyDate },
  fc.constantFrom("2026-02-29", "2026-1-1", "", "22/11/2026", "0000-01-01"),
)
/** A day, and nearby days when only a city is closed. */
const dayAndClosed = fc
  .tuple(anyDate, fc.uniqueArray(fc.integer({ min: -1, max: 6 }), { maxLength: 4 }))
  .map(([day, offsets]) => ({ day, closed: offsets.map((offset) => calendar.addDays(day, offset)) }))
const anyCents = fc.integer({ min: 0, max: money.maximumChargeCents })
const anyAmount = fc.oneof({ weight: 4, arbitrary: anyCents }, fc.constantFrom(-1, 19.9, Number.NaN, 2 ** 53))

const anyFees: fc.Arbitrary<money.FeesInput> = fc.record(
  {
    fine: fc.record({ kind: fc.constant("percent" as const), basisPoints: fc.integer({ min: -1, max: 1_000 }) }),
    interest: fc.record({
      kind: fc.constantFrom("percentPerDay" as const, "percentPerMonth" as const),
      days: fc.constantFrom("calendar" as const, "business" as const),
      basisPoints: fc.integer({ min: 1, max: 1_000 }),
    }),
    abatement: fc.record({ kind: fc.constant("fixed" as const), amountCents: fc.integer({ min: 1, max: 20_000 }) }),
  },
  { requiredKeys: [] },
)

describe("the fees of one charge", () => {
  const dueDate = "2026-07-20"
  const registered = {
    fine: { kind: "percent", basisPoints: 200 },
    discount: { kind: "percentUntil", tiers: [{ daysBefore: 10, basisPoints: 500 }] },
  } as const
  const discount = { kind: "fixedUntil", tiers: [{ date: "2026-07-15", amountCents: 3_000 }] } as const

  it("give the amount due of a charge that has some of its own", () => {
    const fees = plain.chargeFees({ dueDate, fees: { discount }, registered }, "2026-07-01")
    const dueOn = (day: string) => plain.amountDueOn({ amountCents: 100_000, dueDate, fees }, day).totalCents
    expect(["2026-07-15", "2026-07-16", "2026-07-20", "2026-07-21"].map(dueOn)).toEqual([
      97_000, 100_000, 100_000, 102_000,
    ])
  })

  it("omit tiers of the registration that have passed, and all that the request doesn't want", () => {
    expect(plain.chargeFees({ dueDate, registered }, "2026-07-10")).toEqual(registered)
    expect(plain.chargeFees({ dueDate, registered }, "2026-07-11")).toEqual({ fine: registered.fine })
    expect(plain.chargeFees({ dueDate, registered, fees: "none" }, "2026-07-01")).toEqual({})
    expect(plain.chargeFees({ dueDate }, "2026-07-01")).toEqual({})
  })

  it.each<[object, string, string]>([
    [
      { dueDate, fees: { discount } },
      "2026-07-16",
      "The charge's fees.discount must have no tier whose date has passed.",
    ],
    [{ dueDate, fees: { fines: "none" } }, "2026-07-01", 'fees: there is no option "fines" (did you mean "fine"?).'],
    [{ dueDate: "2026-07-14", fees: { discount } }, "2026-07-01", "The charge's fees.discount must be"],
    [{ dueDate, fees: null }, "2026-07-01", "The charge's fees must be"],
    [{ dueDate, registered: { fine: { kind: "percent", basisPoints: 0 } } }, "2026-07-01", "The fine must have"],
    [{ dueDate: "soon" }, "2026-07-01", "A date must be"],
    [{ dueDate, fee: "none" }, "2026-07-01", 'chargeFees: there is no option "fee"'],
  ])("refuse %j on %s, and say why", (terms, issuedOn, message) => {
    const refused = plain.chargeFees.safe(terms as plain.PlainFeesTerms, issuedOn)
    expect(!refused.ok && refused.error.message).toContain(message)
  })
})

/** The branded rule's result, in the form of the plain rule. */
const outcome = <A, E>(branded: () => Result.Result<A, E>): plain.Outcome<A, E | RangeError> => {
  try {
    const result = branded()
    return Result.isSuccess(result) ? { ok: true, value: result.success } : { ok: false, error: result.failure }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, error }
    throw error
  }
}

/** Compares both forms of a plain rule with the branded rule. */
const agree = <Args extends ReadonlyArray<unknown>, A, E>(
  rule: plain.Rule<Args, A, E>,
  args: Args,
  branded: () => Result.Result<unknown, unknown>,
): void => {
  const expected = outcome(branded)
  expect(rule.safe(...args)).toEqual(expected)
  if (expected.ok) expect(rule(...args)).toEqual(expected.value)
  else expect(() => rule(...args)).toThrow(expected.error as Error)
}

const holidays = (closed: ReadonlyArray<string>) =>
  calendar.withHolidays(calendar.nationalBankHolidays, closed.map(date))

describe("plain rules", () => {
  it("plain date rules return the branded rules' results", () => {
    fc.assert(
      fc.property(dayAndClosed, anyDateText, fc.integer({ min: -30, max: 30 }), (given, to, n) => {
        const { day: from, closed } = given
        const parsed = calendar.parseLocalDate(from)
        const both = () => Result.all([parsed, calendar.parseLocalDate(to)])
        const closing = holidays(closed)
        agree(plain.isBusinessDay, [from, closed], () =>
          Result.map(parsed, (day) => calendar.isBusinessDay(day, closing)),
        )
        agree(plain.nextBusinessDay, [from, closed], () =>
          Result.map(parsed, (day) => calendar.nextBusinessDay(day, closing)),
        )
        agree(plain.addBusinessDays, [from, n, closed], () =>
          Result.map(parsed, (day) => calendar.addBusinessDays(day, n, closing)),
        )
        agree(plain.addDays, [from, n], () => Result.map(parsed, (day) => calendar.addDays(day, n)))
        agree(plain.daysBetween, [to, from], () => Result.map(both(), ([a, b]) => calendar.daysBetween(b, a)))
        const other = calendar.parseLocalDate(to)
        agree(plain.startOfBrasiliaDay, [to], () => Result.map(other, calendar.startOfBrasiliaDay))
        agree(plain.endOfBrasiliaDay, [to], () => Result.map(other, calendar.endOfBrasiliaDay))
        agree(plain.nextBusinessDay, [to], () => Result.map(other, (day) => calendar.nextBusinessDay(day)))
      }),
    )
  })

  it("businessDaysBetween returns the branded rule's result for near days", () => {
    fc.assert(
      fc.property(dayAndClosed, fc.integer({ min: -40, max: 40 }), ({ day: from, closed }, n) => {
        const to = calendar.addDays(from, n)
        agree(plain.businessDaysBetween, [from, to, closed], () =>
          Result.succeed(calendar.businessDaysBetween(from, to, holidays(closed))),
        )
      }),
    )
  })

  it("plain cycle rules return the branded rules' results", () => {
    const period = fc.constantFrom<plain.RecurrencePeriod>("weekly", "monthly", "quarterly", "halfYearly", "yearly")
    const cycles = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) }, fc.constantFrom(0, 1.5))
    fc.assert(
      fc.property(dayAndClosed, anyDateText, period, cycles, ({ day: startDate, closed }, to, every, cycle) => {
        const [terms, due] = [{ period: every, startDate }, calendar.parseLocalDate(to)]
        const message = cycle === 1.5 ? "cycle must be a whole number" : "cycle is counted from 1"
        if (cycle === 0 || cycle === 1.5) {
          for (const apply of [plain.cycleStart, plain.cycleEnd, plain.cycleSchedule]) {
            expect(apply.safe(terms, cycle)).toMatchObject({ ok: false, error: new RangeError(message) })
          }
        } else {
          agree(plain.cycleStart, [terms, cycle], () => Result.succeed(recurrence.cycleStart(terms, cycle)))
          agree(plain.cycleEnd, [terms, cycle], () => Result.succeed(recurrence.cycleEnd(terms, cycle)))
          agree(plain.cycleSchedule, [terms, cycle, to, closed], () =>
            Result.map(due, (dueDate) => recurrence.cycleSchedule(terms, cycle, holidays(closed), dueDate)),
          )
        }
        agree(plain.findCycle, [{ ...terms, endDate: to }, startDate], () =>
          Result.map(due, (endDate) => recurrence.findCycle({ ...terms, endDate }, startDate)),
        )
        agree(plain.requestableUntil, [to], () => Result.map(due, recurrence.requestableUntil))
      }),
    )
    expect(() => plain.cycleStart({ period: "daily" as never, startDate: "2026-12-10" }, 1)).toThrow(RangeError)
  })

  it("plain rules about instants in Brasília return the branded rules' results", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (at) => {
        agree(plain.brasiliaDate, [at], () => Result.succeed(calendar.brasiliaDate(at)))
        agree(plain.brasiliaWallClock, [at], () => Result.succeed(calendar.brasiliaWallClock(at)))
      }),
    )
  })

  it("plain money rules return the branded rules' results", () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        const parsed = money.parseCents(amount)
        agree(plain.formatBrl, [amount], () => Result.map(parsed, money.formatBrl))
        agree(plain.decimalFromCents, [amount], () => Result.map(parsed, money.decimalFromCents))
        agree(plain.reaisFromCents, [amount], () => Result.map(parsed, money.reaisFromCents))
        agree(plain.centsFromReais, [amount / 100], () => money.centsFromReais(amount / 100))
        agree(plain.centsFromDecimal, [`${amount}.00`], () => money.centsFromDecimal(`${amount}.00`))
      }),
    )
  })

  it("plain rules about expiry and amounts due return the branded rules' results", () => {
    fc.assert(
      fc.property(
        dayAndClosed,
        fc.oneof(anyDateText, fc.integer({ min: -5, max: 9 })),
        anyAmount,
        anyFees,
        fc.integer({ min: -1, max: 90 }),
        ({ day: dueDate, closed }, when, amountCents, fees, graceDays) => {
          const on = typeof when === "string" ? when : calendar.addDays(dueDate, when)
          const [due, day] = [calendar.parseLocalDate(dueDate), calendar.parseLocalDate(on)]
          const closing = holidays(closed)
          agree(plain.chargeExpiry, [{ dueDate, graceDays, localHolidays: closed }], () =>
            Result.map(due, (checked) =>
              charge.chargeExpiry({ createdAt: 0, dueDate: checked, graceDays, holidays: closing }),
            ),
          )
          const terms = () =>
            Result.all({ amountCents: money.parseCents(amountCents), dueDate: due, fees: money.parseFees(fees) })
          const given = { amountCents, dueDate, fees }
          agree(plain.amountDueOn, [given, on, closed], () =>
            Result.flatMap(day, (at) => Result.map(terms(), (checked) => charge.amountDueOn(checked, at, closing))),
          )
          agree(plain.checkReductions, [given, on, closed], () =>
            Result.flatMap(day, (at) =>
              Result.flatMap(terms(), (checked) => charge.checkReductions(checked, at, closing)),
            ),
          )
        },
      ),
    )
  })

  it("chargeExpiry returns the branded rule's result for an immediate charge", () => {
    const expected = charge.chargeExpiry({ createdAt: 7, graceDays: 0, holidays: calendar.nationalBankHolidays })
    expect(plain.chargeExpiry({ createdAt: 7 })).toEqual(expected)
  })

  it.each(["52998224725", "529.982.247-25", "12.ABC.345/01DE-35", "12ABC34501DE36", "", "11111111111", "abc"])(
    "plain rules return the branded rules' results for the tax id %j",
    (text) => {
      agree(plain.parseCpf, [text], () => party.parseCpf(text))
      agree(plain.parseCnpj, [text], () => party.parseCnpj(text))
      agree(plain.parseTaxId, [text], () => party.parseTaxId(text))
      agree(plain.maskTaxId, [text], () => Result.map(party.parseTaxId(text), party.maskTaxId))
      expect(plain.isValidCpf(text)).toBe(party.isValidCpf(text))
      expect(plain.isValidCnpj(text)).toBe(party.isValidCnpj(text))
    },
  )

  it.each(["7F9C2B1A-3D4E-4F5A-8B6C-0D1E2F3A4B5C", "7F9C2B1A"])(
    "plain rules return the branded rules' results for the charge id %j",
    (text) => {
      agree(plain.parseChargeId, [text], () => charge.parseChargeId(text))
      for (const issuer of ["11.222.333/0001-81", "11222333000180"]) {
        agree(plain.chargeTxid, [issuer, text], () =>
          Result.flatMap(party.parseCnpj(issuer), (cnpj) =>
            Result.map(charge.parseChargeId(text), (id) => charge.chargeTxid(cnpj, id)),
          ),
        )
      }
    },
  )

  it("encodeBrCode and decodeBrCode return the branded rules' results", () => {
    fc.assert(
      fc.property(anyAmount, fc.constantFrom("a@example.com", "Ana"), (amountCents, key) => {
        const code = { _tag: "Static", merchantName: "Ana", merchantCity: "Recife", key } as const
        agree(plain.encodeBrCode, [{ ...code, amountCents }], () =>
          Result.flatMap(money.parseCents(amountCents), (cents) =>
            brcode.encodeBrCode({ ...code, amountCents: cents }),
          ),
        )
        agree(plain.encodeBrCode, [code], () => brcode.encodeBrCode(code))
      }),
    )
    const text = plain.encodeBrCode({ _tag: "Dynamic", merchantName: "Ana", merchantCity: "Recife", url: "a.co/x" })
    agree(plain.decodeBrCode, [text], () => brcode.decodeBrCode(text))
    agree(plain.decodeBrCode, [text.toLowerCase(), "lenient"], () => brcode.decodeBrCode(text.toLowerCase(), "lenient"))
  })
})

describe("parsePixKey", () => {
  it.each([
    ["52998224725", "cpf"],
    ["12ABC34501DE35", "cnpj"],
    ["+5581987654321", "phone"],
    ["+12025550123", "phone"],
    ["loja@example.com", "email"],
    ["7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", "random"],
  ])("finds that %s is of the kind %s", (key, kind) => {
    expect(plain.parsePixKey(key)).toEqual({ kind, key })
  })

  it.each([
    ["", "missing"],
    ["11987654321", "checkDigits"],
    ["12345678000196", "checkDigits"],
    ["Loja@example.com", "key"],
    ["a".repeat(78), "size"],
  ])("refuses %j by the rule %s, without repeating the key", (key, rule) => {
    const refused = plain.parsePixKey.safe(key)
    expect(refused).toMatchObject({ ok: false, error: { _tag: "InvalidPixKey", rule } })
    if (!refused.ok && key !== "") expect(JSON.stringify(refused.error) + refused.error.message).not.toContain(key)
  })

  it("accepts exactly the keys of valid BR Codes", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.emailAddress(), fc.uuid(), fc.stringMatching(/^\d{11}$/)), (key) => {
        const code = brcode.encodeBrCode({ _tag: "Static", merchantName: "Ana", merchantCity: "Recife", key })
        expect(plain.parsePixKey.safe(key).ok).toBe(Result.isSuccess(code))
      }),
    )
  })
})

describe("values that TypeScript would reject", () => {
  it.each([undefined, null, 20_261_122, new Date(0), ["2026-11-22"]])("plain rules refuse %j as a day", (value) => {
    expect(plain.nextBusinessDay.safe(value as never)).toMatchObject({ error: { _tag: "InvalidLocalDate" } })
    expect(plain.nextBusinessDay.safe("2026-11-22", [value] as never)).toMatchObject({
      error: { _tag: "InvalidLocalDate" },
    })
  })

  it.each([undefined, null, 52_998_224_725, ["52998224725"]])(
    "plain rules refuse %j as a tax id and as a key",
    (value) => {
      expect(plain.isValidCpf(value as never)).toBe(false)
      expect(plain.isValidCnpj(value as never)).toBe(false)
      for (const { safe } of [plain.parseTaxId, plain.maskTaxId]) {
        expect(safe(value as never)).toMatchObject({
          error: { _tag: "InvalidTaxId", kind: "taxId", reason: "character" },
        })
      }
      expect(plain.parseCpf.safe(value as never)).toMatchObject({ error: { kind: "cpf", reason: "character" } })
      expect(plain.parseCnpj.safe(value as never)).toMatchObject({ error: { kind: "cnpj", reason: "character" } })
      expect(plain.parsePixKey.safe(value as never)).toMatchObject({ error: { _tag: "InvalidPixKey" } })
    },
  )

  it.each([
    ["1.5 days", () => plain.addDays.safe("2026-11-22", 1.5), "days must be a whole number"],
    [
      "NaN business days",
      () => plain.addBusinessDays.safe("2026-11-22", Number.NaN),
      "business days must be a whole number, not NaN",
    ],
    ["a year beyond 9999", () => plain.nationalHolidays.safe(10_000), "a year must be a whole number from 1 to 9999"],
    ["NaN as an instant", () => plain.brasiliaDate.safe(Number.NaN), "epoch milliseconds must be a whole number"],
    [
      "half a millisecond as an instant",
      () => plain.brasiliaWallClock.safe(0.5),
      "epoch milliseconds must be a whole number",
    ],
    [
      "a charge with neither due date nor creation",
      () => plain.chargeExpiry.safe({} as never),
      "createdAt of a charge without a due date must be a whole number",
    ],
    ["the day after 9999-12-31", () => plain.addDays.safe("9999-12-31", 1), /./],
  ])("plain rules refuse %s with a RangeError that names the rule", (_, call, message) => {
    const { error } = call() as { readonly error: unknown }
    expect(error).toBeInstanceOf(RangeError)
    expect(error).toMatchObject({ message: expect.stringMatching(message) })
  })
})

describe("unknown fields", () => {
  const due = { dueDate: "2026-11-23", graceDays: 5 }
  const terms = { amountCents: 10_000, dueDate: "2026-11-23" }
  const cycles = { period: "monthly", startDate: "2026-10-31" }
  const code = { _tag: "Static", merchantName: "Padaria", merchantCity: "Recife", key: "a@example.com" }
  it.each<[string, () => unknown, string]>([
    ["chargeExpiry", () => plain.chargeExpiry.safe({ ...due, holidays: [] } as never), 'did you mean "localHolidays"?'],
    [
      "chargeExpiry of an immediate charge",
      () => plain.chargeExpiry.safe({ createdAt: 0, payableFor: 60 } as never),
      'did you mean "payableForSeconds"?',
    ],
    ["amountDueOn", () => plain.amountDueOn.safe({ ...terms, fee: {} } as never, "2026-11-24"), 'did you mean "fees"?'],
    [
      "checkReductions",
      () => plain.checkReductions.safe({ ...terms, due: "2026-11-23" } as never, "2026-11-01"),
      "the options are amountCents, dueDate, fees",
    ],
    ["parseFees", () => plain.parseFees.safe({ intrest: {} } as never), 'did you mean "interest"?'],
    ["cycleStart", () => plain.cycleStart.safe({ ...cycles, end: "2027-01-01" } as never, 1), "startDate, endDate"],
    ["encodeBrCode", () => plain.encodeBrCode.safe({ ...code, amount: 1990 } as never), 'did you mean "amountCents"?'],
  ])("%s refuses an unknown field, and names the known fields", (_, call, message) => {
    const { error } = call() as { readonly error: { readonly _tag: string; readonly message: string } }
    expect(error).toMatchObject({ _tag: "InvalidOption", message: expect.stringContaining(message) })
  })
})

it("gives holidays for the first year and the last", () => {
  expect(plain.nationalHolidays(1)[0]?.date).toBe("0001-01-01")
  expect(plain.nationalHolidays(9999).at(-1)?.date).toBe("9999-12-25")
})

it("gives a year's holidays with their names, earliest first", () => {
  const [first, second] = plain.nationalHolidays(2027)
  expect(first).toEqual({ date: "2027-01-01", name: "Confraternização Universal" })
  expect(second).toEqual({ date: "2027-02-08", name: "Carnaval (segunda-feira)" })
})

it("refuses reais instead of centavos, and says how to write them", () => {
  expect(() => plain.formatBrl(19.9)).toThrow("R$ 19,90 is 1990")
})
