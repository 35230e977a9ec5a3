import * as Result from "effect/Result"
import { brasiliaDate } from "../../calendar/BrasiliaTime.ts"
import type { Holidays } from "../../calendar/Holidays.ts"
import { keepDays } from "../../calendar/KeptDays.ts"
import type { InvalidFees } from "../../money/Fees.ts"
import type { Company } from "../../party/Company.ts"
import { missingPrerequisites } from "../../party/Eligibility.ts"
import type { ChargeTerms, PendingCharge } from "./Charge.ts"
import { DueDateOutOfRange, IssuerNotEligible } from "./chargeErrors.ts"
import { type ChargeRequest, latestDueDate } from "./ChargeRequest.ts"
import { firstChecks } from "./checkSchedule.ts"
import { chargeExpiry, type Expiry } from "./Expiry.ts"
import { checkReductions } from "./LateFees.ts"

/** A request for a charge, with the company that issues it and the days on which its banks are closed. */
export interface Issue {
  readonly company: Company
  readonly holidays: Holidays
  readonly request: ChargeRequest
}

/** What must hold beyond the request's shape: a company that may issue, a due date from today on, something left to pay. */
export const checkIssue = (
  { company, holidays, request: { dueDate, amountCents } }: Issue,
  now: number,
): Result.Result<void, IssuerNotEligible | DueDateOutOfRange | InvalidFees> => {
  const missing = missingPrerequisites(company)
  if (missing.length > 0) return Result.fail(new IssuerNotEligible({ issuer: company.cnpj, missing }))
  if (dueDate === undefined) return Result.void
  const earliest = brasiliaDate(now)
  const latest = latestDueDate(earliest)
  if (dueDate < earliest || dueDate > latest) {
    return Result.fail(new DueDateOutOfRange({ dueDate, earliest, latest }))
  }
  const { fees } = company
  return fees === undefined ? Result.void : checkReductions({ amountCents, dueDate, fees }, earliest, holidays)
}

/** Until when the charge is payable and watched if it is created then. */
export const issueExpiry = (
  { company, holidays, request: { dueDate, payableForSeconds } }: Issue,
  createdAt: number,
): Expiry =>
  chargeExpiry({
    createdAt,
    ...(payableForSeconds !== undefined && { payableForSeconds }),
    graceDays: company.graceDays,
    holidays,
    ...(dueDate && { dueDate }),
  })

/** The days of the calendar that decide what is due: those before the due date count for a discount alone. */
const closedDays = ({ company, holidays, request: { dueDate } }: Issue, createdAt: number, watchUntil: number) => {
  const from = company.fees?.discount === undefined ? dueDate : brasiliaDate(createdAt)
  return dueDate && from && keepDays(holidays, from, brasiliaDate(watchUntil))
}

/** The charge as it is stored, once the processor has registered it; a swept one is found paid by its company's lists. */
export const newCharge = (
  issue: Issue,
  { txid, createdAt, brCode }: Pick<ChargeTerms, "txid" | "createdAt" | "brCode">,
  { now, transactionId, isSwept }: { readonly now: number; readonly transactionId: string; readonly isSwept: boolean },
): PendingCharge => {
  const { id, amountCents, dueDate, payer, messageToPayer, additionalInfo } = issue.request
  const { cnpj, fees } = issue.company
  const { payableUntil, watchUntil } = issueExpiry(issue, createdAt)
  const days = closedDays(issue, createdAt, watchUntil)
  return {
    _tag: "Pending",
    issuer: cnpj,
    id,
    txid,
    transactionId,
    amountCents,
    brCode,
    createdAt,
    payableUntil,
    watchUntil,
    version: 1,
    updatedAt: now,
    returns: [],
    ...(dueDate && { dueDate }),
    ...(payer && { payer }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    ...(additionalInfo && { additionalInfo }),
    ...(dueDate && fees && { fees }),
    ...(days && { closedDays: days }),
    ...firstChecks({ createdAt, watchUntil }, { now, isSwept }),
  }
}
