import * as Result from "effect/Result"
import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import { type Charge, isCycleCharge, type PendingCharge } from "./Charge.ts"
import { type ChargeChange, changedRequest } from "./ChargeChange.ts"
import type { ChargeRequest, InvalidChargeRequest } from "./ChargeRequest.ts"
import {
  checkDueDate,
  checkFees,
  checkPassedDates,
  checkPrerequisites,
  isCoded,
  isSame,
  isSameMeaning,
  type Issue,
  type IssueRefusal,
  type issueTerms,
  type PaymentRefusal,
  payableOrPaid,
} from "./Issue.ts"
import {
  chargeAt,
  isShown,
  lastKnownRevision,
  pickTerms,
  requestedRow,
  rowBefore,
  rowInForce,
  rowsOf,
  type ShownTerms,
  type TermsRow,
} from "./TermsRow.ts"
import { about, stay, type Transition } from "./Transition.ts"
import { ChangeConflict, ChangeUnderWay, ChargeNotChangeable, InvalidChargeChange } from "./changeErrors.ts"
import { ChargeAlreadyPaid } from "./chargeErrors.ts"
import { addRow, changedTerms, type IssuerFacts, toIssue, withCode } from "./decideChange.ts"

export type ChangeRefusal =
  | ChargeNotChangeable
  | ChangeConflict
  | ChangeUnderWay
  | ChargeAlreadyPaid
  | PaymentRefusal
  | IssueRefusal
  | InvalidChargeRequest
  | InvalidChargeChange

type Decision<A> = Result.Result<A, ChangeRefusal>

export interface ChangeOrder extends IssuerFacts {
  readonly change: ChargeChange
  readonly by: "host" | "portal"
  /** The count of changes that the bank has just shown. */
  readonly revision?: number | undefined
}

/** Requests a change as the charge's last row, or finds it by its key in any state. Total and pure. */
export const requestChange = (charge: Charge, order: ChangeOrder, now: number): Decision<Transition> => {
  const { change } = order
  if (isCycleCharge(charge) || !isCoded(charge)) {
    return Result.fail(new ChargeNotChangeable({ ...about(charge), because: "cycle" }))
  }
  const rows = rowsOf(charge)
  const known = rows.find(({ key }) => key === change.key)
  if (known !== undefined) return repeatChange(charge, rows, known, change)
  const payable = payableOrPaid(charge, now)
  if (Result.isFailure(payable)) return Result.fail(payable.failure)
  const pending = payable.success
  if (pending._tag === "Paid") return Result.fail(new ChargeAlreadyPaid(about(charge)))
  const underWay = rowUnderWay(rows, now)
  if (underWay !== undefined) {
    const { key } = underWay
    return Result.fail(new ChangeUnderWay({ ...about(charge), ...(key !== undefined && { key }) }))
  }
  return Result.flatMap(changedRequest(pending, change), (request) => addRequested(pending, order, request, now))
}

const rowUnderWay = (rows: ReadonlyArray<TermsRow>, now: number): TermsRow | undefined => {
  const row = requestedRow(rows)
  return row !== undefined && row.payableUntil > now ? row : undefined
}

/**
 * `requested` until the bank answers; `unanswered` if they or the charge ended, or later terms came, before that; `replaced`
 * once later terms are in force.
 */
export type TermsStatus = "requested" | "unanswered" | "refused" | "inForce" | "replaced"

/** `now` is in epoch milliseconds. */
export const termsStatus = (charge: Charge, row: TermsRow, now: number): TermsStatus => {
  if (row.refusedAt !== undefined) return "refused"
  const rows = rowsOf(charge)
  if (row.inForceAt !== undefined) return row.number === rowInForce(rows).number ? "inForce" : "replaced"
  return charge._tag === "Pending" && row.number === rowUnderWay(rows, now)?.number ? "requested" : "unanswered"
}

/** Requests the terms in force once more, or those before the losing call's, which a look-up can have recorded. */
export const requestRestore = (charge: Charge, losing: ShownTerms, now: number): Transition => {
  const rows = rowsOf(charge)
  const isDone = requestedRow(rows) !== undefined || isRestoreRefused(charge)
  if (charge._tag !== "Pending" || isCycleCharge(charge) || isDone) return stay
  const inForce = rowInForce(rows)
  const isLosing = inForce.by === "bank" && isShown(inForce, losing, charge)
  const terms = pickTerms(isLosing ? rowBefore(rows, inForce) : inForce)
  const known = losing.revision === undefined ? {} : { revision: losing.revision }
  return addRow(charge, { ...terms, by: "issue", requestedAt: now, ...known }, now)
}

/** The processor has other terms then, and keeps them. */
export const isRestoreRefused = ({ termsRows }: Charge): boolean => {
  const last = termsRows?.at(-1)
  return last?.refusedAt !== undefined && last.by === "issue"
}

/** The fields of a repeated change are laid over the terms that were in force when it was requested. */
const repeatChange = (
  charge: Charge,
  rows: ReadonlyArray<TermsRow>,
  known: TermsRow,
  change: ChargeChange,
): Decision<Transition> =>
  Result.flatMap(changedRequest(chargeAt(charge, rowBefore(rows, known)), change), (request) =>
    isSameMeaning(chargeAt(charge, known), request)
      ? Result.succeed(stay)
      : Result.fail(new ChangeConflict({ ...about(charge), key: change.key })),
  )

const addRequested = (
  charge: PendingCharge,
  order: ChangeOrder,
  request: ChargeRequest,
  now: number,
): Decision<Transition> => {
  const { change, by, revision } = order
  const known = revision === undefined ? {} : { revision: Math.max(revision, lastKnownRevision(rowsOf(charge))) }
  const row = { key: change.key, by, requestedAt: now, ...known }
  const issue = toIssue(charge, order, request, change.fees !== undefined)
  const terms = changedTerms(charge, issue, change.fees !== undefined, now)
  // The registration's fees can have changed since.
  const isSameFees = change.fees === undefined || isSame(terms.fees, charge.fees)
  if (isSameFees && isSameMeaning(charge, request)) {
    return Result.succeed(addRow(charge, { ...pickTerms(charge), ...row, inForceAt: now }, now))
  }
  return Result.map(checkChange(charge, { change, issue }, terms, now), () =>
    addRow(charge, { ...withCode(charge, terms), ...row }, now),
  )
}

/** A due date or a discount that the change keeps can have passed. */
const checkChange = (
  charge: PendingCharge,
  { change, issue }: { readonly change: ChargeChange; readonly issue: Issue },
  { dueDate, payableUntil }: ReturnType<typeof issueTerms>,
  now: number,
): Decision<void> => {
  const today = brasiliaDate(now)
  const eligible = checkPrerequisites(issue)
  if (Result.isFailure(eligible)) return eligible
  const isMoved = dueDate !== undefined && dueDate !== charge.dueDate
  const inRange = isMoved ? checkDueDate(dueDate, today) : Result.void
  if (Result.isFailure(inRange)) return inRange
  if (payableUntil <= now) {
    return Result.fail(new InvalidChargeChange({ field: dueDate === undefined ? "payableForSeconds" : "graceDays" }))
  }
  if (dueDate === undefined) return Result.void
  const open = change.fees === undefined ? Result.void : checkPassedDates(issue, today)
  return Result.isFailure(open) ? open : checkFees(issue, dueDate, today)
}
