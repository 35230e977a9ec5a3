import * as Result from "effect/Result"
import { brasiliaDate } from "../../calendar/BrasiliaTime.ts"
import type { Holidays } from "../../calendar/Holidays.ts"
import { keepDays } from "../../calendar/KeptDays.ts"
import type { InvalidFees } from "../../money/Fees.ts"
import type { Company } from "../../party/Company.ts"
import { missingPrerequisites } from "../../party/Eligibility.ts"
import type { PendingCharge } from "./Charge.ts"
import { DueDateOutOfRange, IssuerNotEligible } from "./chargeErrors.ts"
import { type ChargeRequest, latestDueDate, requestedTerms } from "./ChargeRequest.ts"
import { firstChecks } from "./checkSchedule.ts"
import type { IssuedCharge } from "./decideRepeat.ts"
import { chargeExpiry, type Expiry } from "./Expiry.ts"
import { checkReductions } from "./LateFees.ts"

/** A request for a charge, with the company that issues it and the days on which its banks are closed. */
export interface Issue {
  readonly company: Company
  readonly holidays: Holidays
  readonly request: ChargeRequest
}

/** Checks more than the request's shape: the company may issue, the due date isn't past, and reductions leave something to pay. */
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

/** Until when the charge is payable and watched if it is created at `createdAt`. */
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

/** The closed days that decide the amount due: those before the due date matter only for a discount. */
const closedDays = ({ company, holidays, request: { dueDate } }: Issue, createdAt: number, watchUntil: number) => {
  const from = company.fees?.discount === undefined ? dueDate : brasiliaDate(createdAt)
  return dueDate && from && keepDays(holidays, from, brasiliaDate(watchUntil))
}

/** The charge to store once the processor has registered it. Payments of a swept one are found by its company's lists. */
export const newCharge = (
  issue: Issue,
  { txid, createdAt, brCode }: Pick<IssuedCharge, "txid" | "createdAt" | "brCode">,
  { now, transactionId, isSwept }: { readonly now: number; readonly transactionId: string; readonly isSwept: boolean },
): PendingCharge => {
  const terms = requestedTerms(issue.request)
  const { cnpj, fees } = issue.company
  const { payableUntil, watchUntil } = issueExpiry(issue, createdAt)
  const days = closedDays(issue, createdAt, watchUntil)
  return {
    _tag: "Pending",
    issuer: cnpj,
    txid,
    transactionId,
    brCode,
    createdAt,
    payableUntil,
    watchUntil,
    version: 1,
    updatedAt: now,
    returns: [],
    ...terms,
    ...(terms.dueDate && fees && { fees }),
    ...(days && { closedDays: days }),
    ...firstChecks({ createdAt, watchUntil }, { now, isSwept }),
  }
}
