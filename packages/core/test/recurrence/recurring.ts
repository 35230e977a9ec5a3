import { parseLocalDate, type LocalDate } from "@pixcharge/core/calendar"
import {
  type ApprovedRecurrence,
  type ChargeCycle,
  type CycleTerms,
  type DebitAttempt,
  parseRecurrenceRequest,
  type RecurrencePeriod,
  type RecurrenceRequest,
  type RecurrenceRequestInput,
} from "@pixcharge/core/recurrence"
import type { Cnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import fc from "fast-check"

export const day = (text: string): LocalDate => Result.getOrThrow(parseLocalDate(text))

const dayMs = 86_400_000

/** The day some days later by JavaScript's own calendar, in UTC. */
export const plusDays = (date: string, days: number): LocalDate =>
  day(new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10))

export const daysFromTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** Epoch milliseconds of a time in Brasília, which is three hours behind UTC since 2019. */
export const inBrasilia = (date: string, hour: number, minute = 0): number =>
  Date.parse(`${date}T03:00:00Z`) + hour * 3_600_000 + minute * 60_000

export const periods: ReadonlyArray<RecurrencePeriod> = ["weekly", "monthly", "quarterly", "halfYearly", "yearly"]

export const anyDay = fc
  .integer({ min: Date.parse("2025-01-01") / dayMs, max: Date.parse("2060-12-31") / dayMs })
  .map((epochDay) => plusDays("1970-01-01", epochDay))

export const anyTerms: fc.Arbitrary<CycleTerms> = fc.record({
  period: fc.constantFrom(...periods),
  // Includes month ends and leap days often.
  startDate: fc.oneof(
    anyDay,
    fc.constantFrom(...["2027-01-31", "2027-08-30", "2028-02-29", "2025-10-31", "2026-12-29"].map(day)),
  ),
})

export const requestInput: RecurrenceRequestInput = {
  id: "7F9C2B1A-3D4E-4F5A-8B6C-0D1E2F3A4B5C",
  payer: { name: "Ana Souza", taxId: "529.982.247-25" },
  title: "Academia",
  period: "monthly",
  startDate: "2026-12-10",
  amountCents: 4990,
  journey: { by: "code" },
}

export const aRequest = (input: Partial<RecurrenceRequestInput> = {}): RecurrenceRequest =>
  Result.getOrThrow(parseRecurrenceRequest({ ...requestInput, ...input }))

export const anApproved = (fields: Partial<ApprovedRecurrence> = {}): ApprovedRecurrence => {
  const { journey: _, ...terms } = aRequest()
  return {
    ...terms,
    issuer: "12345678000195" as Cnpj,
    journey: { by: "code", until: inBrasilia("2026-12-20", 12) },
    createdAt: inBrasilia("2026-11-20", 12),
    updatedAt: inBrasilia("2026-11-20", 12),
    version: 3,
    nextCycle: 1,
    _tag: "Approved",
    bankId: "RR1234567820261120abcdefghijk",
    approvedAt: inBrasilia("2026-11-20", 12),
    ...fields,
  }
}

/** A cycle that is due on Thursday 10 December 2026, with its retry days. */
export const aCycle: ChargeCycle = {
  recurrenceId: aRequest().id,
  contract: aRequest().contract,
  cycle: 1,
  generation: 1,
  bankId: "RR1234567820261120abcdefghijk",
  settlesOn: day("2026-12-10"),
  retryDays: ["11", "12", "13", "14", "15", "16", "17"].map((date) => day(`2026-12-${date}`)),
}

export const anAttempt = (status: DebitAttempt["status"], fields: Partial<DebitAttempt> = {}): DebitAttempt => ({
  kind: "first",
  on: aCycle.settlesOn,
  status,
  ...fields,
})
