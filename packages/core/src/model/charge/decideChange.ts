import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import type { Company } from "../party/Company.ts"
import { type Charge, isCycleCharge, type PendingCharge } from "./Charge.ts"
import { toRequest } from "./ChargeChange.ts"
import { type ChargeRequest, pickPresent } from "./ChargeRequest.ts"
import { type Issue, issueTerms } from "./Issue.ts"
import { promisedGraceDays } from "./LateFees.ts"
import {
  chargeAt,
  isRequested,
  isShown,
  lastKnownRevision,
  pickTerms,
  requestedRow,
  rowInForce,
  rowsOf,
  type ShownTerms,
  type TermsRow,
} from "./TermsRow.ts"
import { clearChecks, stamp, stay, type Transition } from "./Transition.ts"
import { nextPaymentCheckAt } from "./checkSchedule.ts"

export interface IssuerFacts {
  readonly company: Company
  readonly holidays: Holidays
}

export type ChangeCommand =
  | { readonly _tag: "FinishChange"; readonly number: number; readonly outcome: ChangeOutcome }
  | ({ readonly _tag: "RecordTerms"; readonly shown: ShownTerms } & IssuerFacts)

/** A processor's answer to a change. */
export interface ChangedCharge {
  /** Absent if the code stays the same. */
  readonly brCode?: string
  /** How often the charge was changed (`revisao`), if the processor shows it. */
  readonly revision?: number
}

export type ChangeOutcome =
  | ({ readonly _tag: "Confirmed" } & ChangedCharge)
  | { readonly _tag: "Refused"; readonly reason: string }

/** When the check resumes a change without an answer. */
const changeCheckMs = 60_000

/** Fees and grace days that an order doesn't name stay the charge's own. */
export const toIssue = (
  charge: Charge,
  { company, holidays }: IssuerFacts,
  request: ChargeRequest,
  isNamed: boolean,
): Issue => {
  const { fees: registered, ...others } = company
  const fees = isNamed ? registered : charge.fees
  const graceDays = promisedGraceDays(charge, holidays) ?? company.graceDays
  return { company: { ...others, graceDays, ...(fees && { fees }) }, holidays, request }
}

/** A kept discount stays whole: a passed date can hold until a business day. */
export const changedTerms = (charge: PendingCharge, issue: Issue, isNamed: boolean, now: number) => {
  const isKept = !isNamed && issue.request.dueDate === charge.dueDate
  return issueTerms(issue, charge.createdAt, brasiliaDate(isKept ? Math.min(now, charge.createdAt) : now))
}

export const withCode = ({ brCode }: Charge, terms: ReturnType<typeof issueTerms>) => ({
  ...pickTerms(terms),
  ...(brCode !== undefined && { brCode }),
})

/** Total and pure. */
export const decideChange = (charge: Charge, command: ChangeCommand, now: number): Transition =>
  command._tag === "FinishChange" ? finishChange(charge, command, now) : recordTerms(charge, command, now)

type Finish = ChangeCommand & { readonly _tag: "FinishChange" }

const finishChange = (charge: Charge, { number, outcome }: Finish, now: number): Transition => {
  const row = charge.termsRows?.find((one) => one.number === number)
  return row === undefined || !isRequested(row) ? stay : putTerms(charge, endRow(row, outcome, now), now)
}

const endRow = (row: TermsRow, outcome: ChangeOutcome, now: number): TermsRow =>
  outcome._tag === "Refused"
    ? { ...row, refusedAt: now, rejection: outcome.reason }
    : { ...row, inForceAt: now, ...pickPresent<ChangedCharge>(outcome, { brCode: true, revision: true }) }

const shownTerms = { amountCents: true, dueDate: true, payableForSeconds: true }

/** Terms that no row explains are the bank's: books restored from a backup can have forgotten a change. */
const recordTerms = (
  charge: Charge,
  { shown, ...facts }: ChangeCommand & { readonly _tag: "RecordTerms" },
  now: number,
): Transition => {
  const { revision, dueDate } = shown
  const isOfKind = (dueDate === undefined) === (charge.dueDate === undefined)
  if (charge._tag !== "Pending" || isCycleCharge(charge) || !isOfKind) return stay
  const rows = rowsOf(charge)
  const requested = requestedRow(rows)
  if (requested !== undefined && isShown(requested, shown, charge)) {
    // Terms that look the same don't prove that the bank has carried out the change.
    if (isShown(rowInForce(rows), shown, charge)) return stay
    const outcome = { _tag: "Confirmed", ...(revision !== undefined && { revision }) } as const
    return finishChange(charge, { _tag: "FinishChange", number: requested.number, outcome }, now)
  }
  if (isExplained(charge, rows, shown)) return countRevision(charge, rows, shown, now)
  // A late call of an earlier change brings back all of its terms.
  const base = chargeAt(
    charge,
    rows.findLast((row) => row.refusedAt === undefined && isShown(row, shown, charge)) ?? charge,
  )
  const request = { ...toRequest(base), ...pickPresent<Omit<ShownTerms, "revision">>(shown, shownTerms) }
  const terms = changedTerms(base, toIssue(base, facts, request, false), false, now)
  const seen = { by: "bank", requestedAt: now, inForceAt: now, ...(revision !== undefined && { revision }) } as const
  return addRow(charge, { ...withCode(charge, terms), ...seen }, now)
}

/** Keeps a higher count of the terms in force: the counts between aren't looked up again. */
const countRevision = (charge: PendingCharge, rows: ReadonlyArray<TermsRow>, shown: ShownTerms, now: number) => {
  const { revision = 0 } = shown
  const inForce = rowInForce(rows)
  const isHigher = revision > lastKnownRevision(rows) && isShown(inForce, shown, charge)
  return isHigher ? putRow(charge, { ...inForce, revision }, now) : stay
}

/**
 * An older answer shows a count that is known. After a request, a higher count shows that another change came later. Without
 * counts, decision 42's losing call explains other terms.
 */
const isExplained = (charge: PendingCharge, rows: ReadonlyArray<TermsRow>, shown: ShownTerms): boolean => {
  const { revision } = shown
  const requested = requestedRow(rows)
  const isOfRow = (row: TermsRow) => row.refusedAt === undefined && isShown(row, shown, charge)
  if (revision === undefined) return requested?.by === "issue" || rows.some(isOfRow)
  const inForce = rowInForce(rows)
  if (isOfRow(inForce)) return requested?.revision === undefined || revision <= requested.revision
  const isKnown = inForce.revision !== undefined || requested?.revision !== undefined
  return isKnown && revision <= lastKnownRevision(rows)
}

export const addRow = (charge: PendingCharge, row: Omit<TermsRow, "number">, now: number): Transition =>
  putTerms(charge, { ...row, number: rowsOf(charge).length + 1 }, now)

/** A cancellation's check comes no later. */
const putTerms = (charge: Charge, row: TermsRow, now: number): Transition => {
  const { next, ...put } = putRow(charge, row, now)
  if (next._tag !== "Pending") return { ...put, next }
  const checkAt = isRequested(row)
    ? now + changeCheckMs
    : Math.min(charge.checkAt ?? Infinity, nextPaymentCheckAt(next, now) ?? Infinity)
  return { ...put, next: { ...clearChecks(next), ...(checkAt < Infinity && { checkAt }) } }
}

/** The watch never ends earlier than before. */
const putRow = (charge: Charge, row: TermsRow, now: number) => {
  const termsRows = rowsOf(charge).toSpliced(row.number - 1, 1, row)
  const next = {
    ...(rowInForce(termsRows) === row ? chargeAt(charge, row) : charge),
    ...stamp(charge, now),
    watchUntil: Math.max(charge.watchUntil, row.watchUntil),
    termsRows,
  }
  return { ...stay, next, termsRows: charge.termsRows === undefined ? termsRows : [row] }
}
