import {
  addBusinessDays,
  addDays,
  brasiliaDate,
  isBusinessDay,
  type LocalDate,
  nationalBankHolidays,
  nextBusinessDay,
} from "@pixcharge/core/calendar"
import type { CycleCharge, PendingCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { ApprovedRecurrence, RequestedRecurrence } from "@pixcharge/core/recurrence"
import { newCycleCharge, parseRecurrenceId } from "@pixcharge/core/recurrence"
import type { ReceivingAccount } from "@pixcharge/processor-api-pix"
import { aPayer } from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { company } from "../bank/openBank.ts"

/** The account that receives the debits of these tests. */
export const receivingAccount: ReceivingAccount = { branch: "1234", number: "1234567", kind: "payment" }

const hourMs = 3_600_000

/**
 * A due date whose cycle can be charged now: the window opens at 09:00 up to ten days before, and closes two business days
 * before at 22:00.
 */
const dueDateInWindow = (now: number): LocalDate => {
  const today = brasiliaDate(now)
  const isMorning = brasiliaDate(now + 12 * hourMs) === today
  const days = isMorning && isBusinessDay(today, nationalBankHolidays) ? 2 : 3
  return addBusinessDays(today, days, nationalBankHolidays)
}

/** A subscription of R$ 49,90 a month. The bank doesn't know it yet, and its first cycle can be charged now. */
export const aRecurrence = (more: Partial<RequestedRecurrence> = {}): RequestedRecurrence => {
  const now = Date.now()
  const id = Result.getOrThrow(parseRecurrenceId(randomUUID()))
  return {
    _tag: "Requested",
    issuer: company.cnpj,
    id,
    contract: id.replaceAll("-", ""),
    title: "Assinatura",
    payer: aPayer,
    period: "monthly",
    startDate: dueDateInWindow(now),
    amountCents: 4_990 as Cents,
    retries: "threeInSeven",
    journey: { by: "code", until: now + 30 * 86_400_000 },
    createdAt: now,
    version: 1,
    updatedAt: now,
    nextCycle: 1,
    ...more,
  }
}

export const approved = (requested: RequestedRecurrence, bankId: string): ApprovedRecurrence => ({
  ...requested,
  _tag: "Approved",
  bankId,
  approvedAt: requested.createdAt,
})

export const aCycleCharge = (
  recurrence: ApprovedRecurrence = approved(aRecurrence(), "RR1234567820260101abcdefghijk"),
  more: { readonly dueDate?: LocalDate; readonly amountCents?: number; readonly generation?: number } = {},
): CycleCharge<PendingCharge> => {
  const { dueDate = recurrence.startDate, amountCents = 4_990, generation = 1 } = more
  const settlesOn = nextBusinessDay(dueDate, nationalBankHolidays)
  const retryDays = [1, 2, 3, 4].map((days) => addDays(settlesOn, days))
  const schedule = { cycle: 1, dueDate, settlesOn, opensAt: 0, closesAt: 0, cancellableUntil: 0, retryDays }
  const given = { amountCents: amountCents as Cents, generation, transactionId: randomUUID() }
  return newCycleCharge(recurrence, schedule, given, Date.now())
}
