import * as Result from "effect/Result"
import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import { keepDays } from "../calendar/BusinessDay.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import { type Fees, InvalidFees } from "../money/Fees.ts"
import { type Company, missingPrerequisites } from "../party/Company.ts"
import { type Charge, isExpired, type PaidCharge, type PendingCharge, personalFields } from "./Charge.ts"
import {
  type ChargeRequest,
  contractTerms,
  hostTerms,
  immediateLifetimeSeconds,
  latestDueDate,
  requestedTerms,
} from "./ChargeRequest.ts"
import { chargeExpiry, type Expiry, payableForSeconds } from "./Expiry.ts"
import { checkReductions } from "./LateFees.ts"
import { chargeFees, earlierChargeFees, hasPassedDate } from "./RequestedTerms.ts"
import { chargeAt } from "./TermsRow.ts"
import { about } from "./Transition.ts"
import {
  ChargeCancelled,
  ChargeConflict,
  ChargeExpired,
  ChargeRefunded,
  ChargeRefunding,
  DueDateOutOfRange,
  IssuerNotEligible,
} from "./chargeErrors.ts"
import { firstChecks } from "./checkSchedule.ts"

export interface Issue {
  readonly company: Company
  readonly holidays: Holidays
  readonly request: ChargeRequest
}

const graceDays = ({ company, request }: Issue): number => request.requested?.graceDays ?? company.graceDays

const issueFees = ({ company, request }: Issue, dueDate: LocalDate, day: LocalDate): Fees | undefined =>
  chargeFees({ requested: request.requested?.fees, registered: company.fees, dueDate }, day)

/** The company with the grace days and fees of an order on that day. */
export const companyAtIssue = (issue: Issue, now: number): Company => {
  const { company, request } = issue
  if (request.dueDate === undefined) return company
  const { fees: _, ...others } = company
  const fees = issueFees(issue, request.dueDate, brasiliaDate(now))
  return { ...others, graceDays: graceDays(issue), ...(fees && { fees }) }
}

/** Fees that a call for the same charge on an earlier day can have sent. */
export const earlierFees = ({ company, request }: Issue, now: number): ReadonlyArray<Fees> =>
  request.dueDate === undefined
    ? []
    : earlierChargeFees(
        { requested: request.requested?.fees, registered: company.fees, dueDate: request.dueDate },
        brasiliaDate(now),
      )

export const checkPassedDates = ({ request }: Issue, today: LocalDate): Result.Result<void, InvalidFees> => {
  const requested = request.requested?.fees
  return requested !== undefined && hasPassedDate(requested, today)
    ? Result.fail(new InvalidFees({ field: "discount", reason: "passed", isRequested: true }))
    : Result.void
}

export const checkFees = (issue: Issue, dueDate: LocalDate, today: LocalDate): Result.Result<void, InvalidFees> => {
  const { holidays, request } = issue
  const requested = request.requested?.fees
  const fees = issueFees(issue, dueDate, today)
  if (fees === undefined) return Result.void
  const isRequested = [requested?.abatement, requested?.discount].some((part) => typeof part === "object")
  return Result.mapError(
    checkReductions({ amountCents: request.amountCents, dueDate, fees }, today, holidays),
    ({ field, reason }) => new InvalidFees({ field, reason, ...(isRequested && { isRequested }) }),
  )
}

export const checkPrerequisites = ({ company }: Issue): Result.Result<void, IssuerNotEligible> => {
  const missing = missingPrerequisites(company)
  return missing.length > 0 ? Result.fail(new IssuerNotEligible({ issuer: company.cnpj, missing })) : Result.void
}

export const checkDueDate = (dueDate: LocalDate, earliest: LocalDate): Result.Result<void, DueDateOutOfRange> => {
  const latest = latestDueDate(earliest)
  return dueDate < earliest || dueDate > latest
    ? Result.fail(new DueDateOutOfRange({ dueDate, earliest, latest }))
    : Result.void
}

export type IssueRefusal = IssuerNotEligible | DueDateOutOfRange | InvalidFees

export const checkIssue = (issue: Issue, now: number): Result.Result<void, IssueRefusal> => {
  const { dueDate } = issue.request
  const eligible = checkPrerequisites(issue)
  if (Result.isFailure(eligible) || dueDate === undefined) return eligible
  const today = brasiliaDate(now)
  const inRange = checkDueDate(dueDate, today)
  if (Result.isFailure(inRange)) return inRange
  const open = checkPassedDates(issue, today)
  return Result.isFailure(open) ? open : checkFees(issue, dueDate, today)
}

export const issueExpiry = (issue: Issue, createdAt: number): Expiry => {
  const { dueDate, payableForSeconds: seconds } = issue.request
  return chargeExpiry({
    createdAt,
    ...(seconds !== undefined && { payableForSeconds: seconds }),
    graceDays: graceDays(issue),
    holidays: issue.holidays,
    ...(dueDate && { dueDate }),
  })
}

/** Days before the due date matter only for a discount. */
const closedDays = (
  { holidays, request: { dueDate } }: Issue,
  fees: Fees | undefined,
  { createdAt, watchUntil }: Pick<PendingCharge, "createdAt" | "watchUntil">,
) => {
  const from = fees?.discount === undefined ? dueDate : brasiliaDate(createdAt)
  return dueDate && from && keepDays(holidays, from, brasiliaDate(watchUntil))
}

/** With a discount's tiers that are open on `day`. */
export const issueTerms = (issue: Issue, createdAt: number, day: LocalDate) => {
  const terms = requestedTerms(issue.request)
  const { payableUntil, watchUntil } = issueExpiry(issue, createdAt)
  const fees = terms.dueDate && issueFees(issue, terms.dueDate, day)
  const days = closedDays(issue, fees, { createdAt, watchUntil })
  // On Node 20, an object that begins with a spread has its own hidden class.
  return { payableUntil, watchUntil, ...(fees && { fees }), ...(days && { closedDays: days }), ...terms }
}

/** `isSwept`: whether sweeps of the company find the charge's payments. */
export const newCharge = (
  issue: Issue,
  { txid, createdAt, brCode }: Pick<IssuedCharge, "txid" | "createdAt" | "brCode">,
  { now, transactionId, isSwept }: { readonly now: number; readonly transactionId: string; readonly isSwept: boolean },
): PendingCharge => {
  // An adopted charge has the tiers of the day of its creation.
  const terms = issueTerms(issue, createdAt, brasiliaDate(Math.min(now, createdAt)))
  return {
    _tag: "Pending",
    issuer: issue.company.cnpj,
    txid,
    transactionId,
    brCode,
    createdAt,
    version: 1,
    updatedAt: now,
    returns: [],
    ...terms,
    ...firstChecks({ createdAt, watchUntil: terms.watchUntil }, { now, isSwept }),
  }
}

export type IssuedCharge = (PendingCharge | PaidCharge) & Coded

export interface Coded {
  readonly brCode: string
}

export const isCoded = <C extends Charge>(charge: C): charge is C & Coded => charge.brCode !== undefined

export type PaymentRefusal = ChargeExpired | ChargeCancelled | ChargeRefunding | ChargeRefunded

export type RepeatRefusal = ChargeConflict | PaymentRefusal

export const payableOrPaid = (charge: Charge & Coded, now: number): Result.Result<IssuedCharge, PaymentRefusal> => {
  if (isExpired(charge, now)) return Result.fail(new ChargeExpired(about(charge)))
  switch (charge._tag) {
    case "Pending":
    case "Paid":
      return Result.succeed(charge)
    case "Cancelled":
      return Result.fail(new ChargeCancelled(about(charge)))
    case "Refunding":
      return Result.fail(new ChargeRefunding(about(charge)))
    case "Refunded":
      return Result.fail(new ChargeRefunded(about(charge)))
  }
}

/** Answers a repeated request, by the terms in force or the first ones, while its charge is payable or paid (decisions 11 and 48). */
export const decideRepeat = (
  charge: Charge,
  request: ChargeRequest,
  now: number,
): Result.Result<IssuedCharge, RepeatRefusal> =>
  isCoded(charge) && (isSameMeaning(charge, request) || isSameMeaning(chargeAtIssue(charge), request))
    ? payableOrPaid(charge, now)
    : Result.fail(new ChargeConflict(about(charge)))

const chargeAtIssue = (charge: Charge): Charge => {
  const [first] = charge.termsRows ?? []
  return first === undefined ? charge : chargeAt(charge, first)
}

/** A missing field means its default (decision 48). */
export const isSameMeaning = (charge: Charge, request: ChargeRequest): boolean => {
  const isOfContract = request.isOfContract === true
  const known = isOfContract ? withoutContact(charge) : charge
  return (
    areSame(contractTerms, known, request) &&
    (isOfContract || (isSameValidity(charge, request) && areSame(hostTerms, charge, request)))
  )
}

const withoutContact = (charge: Charge): Charge => {
  const { payer } = charge
  return payer?.email === undefined && payer?.address === undefined
    ? charge
    : { ...charge, payer: { name: payer.name, taxId: payer.taxId } }
}

const isSameValidity = (charge: Charge, request: ChargeRequest): boolean =>
  charge.dueDate !== undefined || payableForSeconds(charge) === (request.payableForSeconds ?? immediateLifetimeSeconds)

// Erased terms are skipped: a repeat must not become a conflict. An erasure can keep the reference and the metadata.
const areSame = (terms: Partial<typeof contractTerms & typeof hostTerms>, charge: Charge, request: ChargeRequest) => {
  for (const name in terms) {
    const term = name as keyof typeof terms
    const isErased = charge.payerErasedAt !== undefined && personalFields.terms[term] && charge[term] === undefined
    if (!isErased && !isSame(charge[term], request[term])) return false
  }
  return true
}

export const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  for (const name in a) if (!isSame(a[name as keyof typeof a], b[name as keyof typeof b])) return false
  for (const name in b) if (!(name in a)) return false
  return true
}
