import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import type { Company } from "../party/Company.ts"
import { type Charge, isCycleCharge, type PendingCharge } from "./Charge.ts"
import { toRequest } from "./ChargeChange.ts"
import type { ChargeRequest } from "./ChargeRequest.ts"
import { type Issue, issueTerms } from "./Issue.ts"
import { promisedGraceDays } from "./LateFees.ts"
import {
  chargeAt,
  currentRow,
  isRequested,
  isShown,
  lastKnownRevision,
  liveRow,
  pickTerms,
  rowsOf,
  type ShownTerms,
  type TermsRow,
} from "./TermsRow.ts"
import { clearChecks, stamp, stay, type Transition } from "./Transition.ts"
import { nextPaymentCheckAt } from "./checkSchedule.ts"

export interface Order {
  readonly company: Company
  readonly holidays: Holidays
}

export type ChangeCommand =
  | { readonly _tag: "FinishChange"; readonly number: number; readonly outcome: ChangeOutcome }
  | ({ readonly _tag: "RecordRevision"; readonly shown: ShownTerms } & Order)

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
  { company, holidays }: Order,
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
  command._tag === "FinishChange" ? finishChange(charge, command, now) : recordRevision(charge, command, now)

type Finish = ChangeCommand & { readonly _tag: "FinishChange" }

const finishChange = (charge: Charge, { number, outcome }: Finish, now: number): Transition => {
  const row = charge.termsRows?.find((one) => one.number === number)
  return row === undefined || !isRequested(row) ? stay : putRow(charge, endRow(row, outcome, now), now)
}

const endRow = (row: TermsRow, outcome: ChangeOutcome, now: number): TermsRow =>
  outcome._tag === "Refused"
    ? { ...row, refusedAt: now, rejection: outcome.reason }
    : {
        ...row,
        inForceAt: now,
        ...(outcome.brCode !== undefined && { brCode: outcome.brCode }),
        ...(outcome.revision !== undefined && { revision: outcome.revision }),
      }

/** Terms that no row explains are the bank's: books restored from a backup can have forgotten a change. */
const recordRevision = (
  charge: Charge,
  { shown, ...order }: ChangeCommand & { readonly _tag: "RecordRevision" },
  now: number,
): Transition => {
  const { dueDate, amountCents, payableForSeconds: seconds, revision } = shown
  const isOfKind = (dueDate === undefined) === (charge.dueDate === undefined)
  if (charge._tag !== "Pending" || isCycleCharge(charge) || !isOfKind) return stay
  const rows = rowsOf(charge)
  const live = liveRow(rows)
  if (live !== undefined && isShown(live, shown, charge)) {
    // Terms that look the same don't prove that the bank has carried out the change.
    if (isShown(currentRow(rows), shown, charge)) return stay
    const outcome = { _tag: "Confirmed", ...(revision !== undefined && { revision }) } as const
    return finishChange(charge, { _tag: "FinishChange", number: live.number, outcome }, now)
  }
  if (isExplained(charge, rows, shown)) return countRevision(charge, rows, shown, now)
  // A late call of an earlier change brings back all of its terms.
  const base = chargeAt(
    charge,
    rows.findLast((row) => row.refusedAt === undefined && isShown(row, shown, charge)) ?? charge,
  )
  const request = {
    ...toRequest(base),
    amountCents,
    ...(dueDate && { dueDate }),
    ...(seconds !== undefined && { payableForSeconds: seconds }),
  }
  const terms = changedTerms(base, toIssue(base, order, request, false), false, now)
  const seen = { by: "bank", requestedAt: now, inForceAt: now, ...(revision !== undefined && { revision }) } as const
  return addRow(charge, { ...withCode(charge, terms), ...seen }, now)
}

/** Keeps a higher count of the terms in force: the counts between aren't looked up again. */
const countRevision = (charge: PendingCharge, rows: ReadonlyArray<TermsRow>, shown: ShownTerms, now: number) => {
  const { revision = 0 } = shown
  const current = currentRow(rows)
  if (revision <= lastKnownRevision(rows) || !isShown(current, shown, charge)) return stay
  const row = { ...current, revision }
  const termsRows = rows.map((one) => (one.number === row.number ? row : one))
  const next = { ...charge, ...stamp(charge, now), termsRows }
  return { ...stay, next, termsRows: charge.termsRows === undefined ? termsRows : [row] }
}

/**
 * An older answer shows a count that is known. After a request, a higher count shows that another change came later. Without
 * counts, decision 42's losing call explains other terms.
 */
const isExplained = (charge: PendingCharge, rows: ReadonlyArray<TermsRow>, shown: ShownTerms): boolean => {
  const { revision } = shown
  const live = liveRow(rows)
  const isOfRow = (row: TermsRow) => row.refusedAt === undefined && isShown(row, shown, charge)
  if (revision === undefined) return (live !== undefined && live.by === "issue") || rows.some(isOfRow)
  const current = currentRow(rows)
  if (isOfRow(current)) return live?.revision === undefined || revision <= live.revision
  const isKnown = current.revision !== undefined || live?.revision !== undefined
  return isKnown && revision <= lastKnownRevision(rows)
}

export const addRow = (charge: PendingCharge, row: Omit<TermsRow, "number">, now: number): Transition => {
  const rows = rowsOf(charge)
  return putRow(
    { ...charge, termsRows: rows },
    { ...row, number: rows.length + 1 },
    now,
    charge.termsRows === undefined,
  )
}

/** Adds or replaces the row. The watch never ends earlier than before. */
const putRow = (charge: Charge, row: TermsRow, now: number, isFirst = false): Transition => {
  const termsRows = [...rowsOf(charge).filter(({ number }) => number !== row.number), row].toSorted(
    (a, b) => a.number - b.number,
  )
  const isInForce = currentRow(termsRows) === row
  const next = {
    ...(isInForce ? chargeAt(charge, row) : charge),
    ...stamp(charge, now),
    watchUntil: Math.max(charge.watchUntil, row.watchUntil),
    termsRows,
  }
  return { ...stay, next: checkAgain(next, row, now), termsRows: isFirst ? termsRows : [row] }
}

const checkAgain = (charge: Charge, row: TermsRow, now: number): Charge => {
  if (charge._tag !== "Pending") return charge
  const checkAt = isRequested(row) ? now + changeCheckMs : nextPaymentCheckAt(charge, now)
  return { ...clearChecks(charge), ...(checkAt !== undefined && { checkAt }) }
}
