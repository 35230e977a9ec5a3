import { companyHolidays, InvalidOption } from "@pixcharge/core"
import { addDays, brasiliaHour } from "@pixcharge/core/calendar"
import type { CycleCharge, PendingCharge } from "@pixcharge/core/charges"
import { parseCents } from "@pixcharge/core/money"
import type { Company } from "@pixcharge/core/party"
import {
  type ApprovedRecurrence,
  cycleSchedule,
  hasCycle,
  newCycleCharge,
  parseRecurrenceRequest,
  type RecurrenceRequest,
} from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import type { CycleFacts } from "./ChargeFacts.ts"
import { defaultCents, makeCompany } from "./makeRequested.ts"

const dayMs = 86_400_000

const approve = ({ cnpj }: Company, { journey: _, ...request }: RecurrenceRequest): ApprovedRecurrence => {
  const createdAt = brasiliaHour(addDays(request.startDate, -14), 12)
  return {
    ...request,
    _tag: "Approved",
    issuer: cnpj,
    journey: { by: "code", until: createdAt + 30 * dayMs },
    createdAt,
    version: 3,
    updatedAt: createdAt,
    nextCycle: 1,
    bankId: `RR99999999${request.startDate.replaceAll("-", "")}${request.id.replaceAll("-", "").slice(0, 11)}`,
    approvedAt: createdAt,
  }
}

/** The charge of a recurrence's cycle. Throws the core's error if the core refuses the facts. */
export const makeCycle = ({ company: fields, recurrence, ...facts }: CycleFacts): CycleCharge<PendingCharge> => {
  const { cycle = 1 } = facts
  const company = makeCompany(fields)
  const amountCents = Result.getOrThrow(parseCents(facts.amountCents ?? defaultCents))
  const request = parseRecurrenceRequest({
    id: crypto.randomUUID(),
    payer: { name: "Ana Souza", taxId: "52998224725" },
    title: "Academia",
    period: "monthly",
    startDate: "2027-03-15",
    ...recurrence,
    amountCents,
    journey: { by: "code" },
  })
  const approved = approve(company, Result.getOrThrow(request))
  const isCycle = Number.isInteger(cycle) && cycle > 0 && hasCycle(approved, cycle)
  const schedule = isCycle ? cycleSchedule(approved, cycle, companyHolidays(company)) : undefined
  if (schedule === undefined)
    throw new InvalidOption({ message: "cycle must be one of the recurrence's cycles, from 1." })
  const terms = { amountCents, generation: 1, transactionId: crypto.randomUUID() }
  return newCycleCharge(approved, schedule, terms, schedule.opensAt)
}
