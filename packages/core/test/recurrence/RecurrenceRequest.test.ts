import { nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import {
  checkOffer,
  InvalidRecurrenceRequest,
  parseRecurrenceRequest,
  type RecurrenceRequestField,
  type RecurrenceRequestInput,
} from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { aRequest, day, inBrasilia, plusDays, requestInput } from "./recurring.ts"

const refusedField = (
  input: Partial<Record<keyof RecurrenceRequestInput, unknown>>,
): RecurrenceRequestField | "none" => {
  const parsed = parseRecurrenceRequest({ ...requestInput, ...input } as never)
  return Result.isFailure(parsed) ? parsed.failure.field : "none"
}

const bank = { by: "bank", ispb: "1234abcd", account: "0126820", until: "2026-12-01T09:30:00-03:00" } as const
const charge = { id: "6F9619FF-8B86-D011-B42D-00CF4FC964FF", amountCents: 1990 }

describe("parseRecurrenceRequest", () => {
  it("returns checked values, and a contract made of the id by default", () => {
    expect(aRequest()).toEqual({
      id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c",
      contract: "7f9c2b1a3d4e4f5a8b6c0d1e2f3a4b5c",
      payer: { name: "Ana Souza", taxId: "52998224725" },
      title: "Academia",
      period: "monthly",
      startDate: "2026-12-10",
      amountCents: 4990,
      retries: "none",
      journey: { by: "code" },
    })
    expect(
      aRequest({
        contract: " 2026/17 ",
        title: "  Locac\u0327a\u0303o ",
        endDate: "2026-12-10",
        amountCents: undefined,
        floorCents: 5000,
        retries: "threeInSeven",
      }),
    ).toMatchObject({
      contract: "2026/17",
      title: "Locação",
      endDate: "2026-12-10",
      floorCents: 5000,
      retries: "threeInSeven",
    })
  })

  it("accepts the journeys code, payment and bank", () => {
    const until = Date.parse("2026-12-01T12:30:00Z")
    expect(aRequest({ journey: bank }).journey).toEqual({ by: "bank", ispb: "1234ABCD", account: "0126820", until })
    expect(aRequest({ journey: { ...bank, branch: "0001", until: new Date(until) } }).journey).toMatchObject({
      branch: "0001",
      until,
    })
    expect(aRequest({ journey: { by: "payment", charge } }).journey).toEqual({
      by: "payment",
      charge: { id: charge.id.toLowerCase(), amountCents: 1990 },
    })
  })

  it.each<readonly [RecurrenceRequestField, Partial<Record<keyof RecurrenceRequestInput, unknown>>]>([
    ["id", { id: "7f9c2b1a3d4e4f5a8b6c0d1e2f3a4b5c" }],
    ["id", { id: undefined }],
    ["contract", { contract: "" }],
    ["contract", { contract: "a".repeat(36) }],
    ["contract", { contract: requestInput.id }],
    ["payer.name", { payer: { ...requestInput.payer, name: "a".repeat(141) } }],
    ["payer.name", { payer: undefined }],
    ["payer.taxId", { payer: { ...requestInput.payer, taxId: "529.982.247-26" } }],
    ["title", { title: "a".repeat(36) }],
    ["title", { title: "Streaming 🦜" }],
    ["title", { title: undefined }],
    ["period", { period: "fortnightly" }],
    ["period", { period: "toString" }],
    ["period", { period: undefined }],
    ["startDate", { startDate: "2027-02-29" }],
    ["startDate", { startDate: new Date() }],
    ["startDate", { startDate: "3000-01-01" }],
    ["endDate", { endDate: "2027-02-29" }],
    ["endDate", { endDate: "2026-12-09" }],
    ["amountCents", { amountCents: 0 }],
    ["amountCents", { amountCents: 49.9 }],
    ["amountCents", { amountCents: 1_000_000_000_000 }],
    ["floorCents", { floorCents: 5000 }],
    ["floorCents", { amountCents: undefined, floorCents: 0 }],
    ["retries", { retries: "three" }],
    ["journey", { journey: undefined }],
    ["journey", { journey: { by: "letter" } }],
    ["journey.ispb", { journey: { ...bank, ispb: "1234567" } }],
    ["journey.ispb", { journey: { ...bank, ispb: 12345678 } }],
    ["journey.branch", { journey: { ...bank, branch: "00012" } }],
    ["journey.account", { journey: { ...bank, account: "12682-0" } }],
    ["journey.account", { journey: { ...bank, account: undefined } }],
    ["journey.until", { journey: { ...bank, until: "2026-12-01T09:30:00" } }],
    ["journey.until", { journey: { ...bank, until: "2026-02-30T09:30:00Z" } }],
    ["journey.until", { journey: { ...bank, until: "2026-12-01T24:00:00Z" } }],
    ["journey.until", { journey: { ...bank, until: "2026-12-01" } }],
    ["journey.until", { journey: { ...bank, until: undefined } }],
    ["journey.until", { journey: { ...bank, until: null } }],
    ["journey.until", { journey: { ...bank, until: { year: 2026, month: 12, day: 1 } } }],
    ["journey.until", { journey: { ...bank, until: new Date(Number.NaN) } }],
    ["journey.until", { journey: { ...bank, until: 1_796_131_800_000 } }],
    ["journey.charge.amount", { journey: { by: "payment", charge: { ...charge, amountCents: 0 } } }],
    ["journey.charge.id", { journey: { by: "payment" } }],
  ])("rejects the field %s: %j", (field, input) => {
    expect(refusedField(input)).toBe(field)
  })

  it("accepts texts and names of the banks' maximum length, counted in characters", () => {
    const payer = { ...requestInput.payer, name: "🦜".repeat(140) }
    expect(refusedField({ payer, title: "é".repeat(35), contract: "a".repeat(35) })).toBe("none")
  })

  it.each([undefined, null, "id", 7])("rejects values that aren't objects: %j", (input) => {
    const parsed = parseRecurrenceRequest(input as never)
    expect(Result.isFailure(parsed) && parsed.failure.field).toBe("id")
  })

  it("names the field and its rule in its error", () => {
    const message = (field: RecurrenceRequestField) => new InvalidRecurrenceRequest({ field }).message
    expect(message("period")).toBe("The recurrence's period must be weekly, monthly, quarterly, halfYearly or yearly.")
    expect(message("journey.charge.dueDate")).toBe(
      "The recurrence's journey.charge.dueDate must be an existing day, written YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss without a zone.",
    )
  })
})

describe("checkOffer", () => {
  const now = inBrasilia("2026-11-27", 23, 30)
  const startsAt = (at: number, startDate: string, payableUntil?: number) => {
    const checked = checkOffer(aRequest({ startDate }), nationalBankHolidays, at, payableUntil)
    return Result.isFailure(checked) ? checked.failure : "none"
  }
  const starts = (startDate: string, payableUntil?: number) => startsAt(now, startDate, payableUntil)

  it("requires a first cycle that can still be charged: by 22:00 two business days before", () => {
    // It is Friday night. Orders for debits up to Tuesday had to arrive by 22:00.
    for (const startDate of ["2020-01-01", "2026-11-26", "2026-11-27", "2026-11-28", "2026-12-01"]) {
      expect(starts(startDate)).toMatchObject({ _tag: "StartDateTooEarly", startDate, earliest: "2026-12-02" })
    }
    expect(starts("2026-12-02")).toBe("none")
    expect(startsAt(inBrasilia("2026-11-27", 21, 59), "2026-12-01")).toBe("none")
  })

  it("rejects a first cycle that closed days leave without a window", () => {
    const closed = Array.from({ length: 12 }, (_, days) => plusDays("2026-12-10", -1 - days))
    const holidays = withHolidays(nationalBankHolidays, closed)
    const checked = checkOffer(aRequest({ startDate: "2026-12-10" }), holidays, inBrasilia("2026-11-20", 12))
    expect(checked).toMatchObject({ failure: { earliest: "2026-12-12" } })
  })

  it("requires a start after the last day for paying the authorising charge", () => {
    expect(starts("2026-12-04", inBrasilia("2026-12-04", 0, 10))).toMatchObject({ earliest: "2026-12-05" })
    expect(starts("2026-12-04", inBrasilia("2026-12-04", 0) - 1)).toBe("none")
    expect(starts(day("2026-12-31"), inBrasilia("2026-12-31", 23))).toMatchObject({ earliest: "2027-01-01" })
  })

  it("rejects an offer that stays open at the payer's bank for 30 days or more", () => {
    const until = (at: number) =>
      checkOffer(aRequest({ journey: { ...bank, until: new Date(at) } }), nationalBankHolidays, now)
    const month = 30 * 86_400_000
    expect([until(now + 1), until(now + month - 1)].map(Result.isSuccess)).toEqual([true, true])
    for (const at of [now, now - 1, now + month]) {
      expect(until(at)).toMatchObject({ failure: { _tag: "SolicitationOutOfRange", latest: now + month } })
    }
  })
})
