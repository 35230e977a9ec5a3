import type { Charge } from "@pixcharge/core/charges"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import { businessDay, dayAt, momentAt, plusDays } from "./recurrences/calendar.ts"
import { amountDue, writeFees } from "./fees.ts"
import type { SettledCharge } from "./money.ts"
import { reportIf } from "./rules.ts"

/**
 * The last moment at which the bank takes a payment: for a due date, the end of the last day of
 * grace moved to a business day.
 */
export const lastPayableAt = (
  {
    dueDate,
    payableUntil,
    watchUntil,
    termsRows,
  }: Pick<Charge, "dueDate" | "payableUntil" | "watchUntil" | "termsRows">,
  bank: LedgerCharge | undefined,
): number => {
  // Requested terms can be at the bank. Each terms' watch ends a day after their last moment.
  if (termsRows !== undefined) {
    const inForce = termsRows.findLast((row) => row.inForceAt !== undefined)
    const requested = termsRows.slice(-1).filter((row) => row.inForceAt === undefined && row.refusedAt === undefined)
    return Math.max(inForce?.watchUntil ?? watchUntil, ...requested.map((row) => row.watchUntil)) - 86_400_000
  }
  if (dueDate === undefined) return payableUntil
  const graceDays = Number(bank?.terms.body?.calendario["validadeAposVencimento"] ?? 0)
  return momentAt(businessDay(plusDays(businessDay(dueDate), graceDays)), 24) - 1
}

const dayMs = 86_400_000
const secondMs = 1_000

type ShownTerms = LedgerCharge["terms"]

const dueAtBank = ({ amountCents, dueDate, body }: ShownTerms, day: string): number =>
  dueDate === undefined ? amountCents : amountDue(amountCents, dueDate, body?.valor ?? {}, day)

/** The last moment of terms at the bank, or undefined if the bank doesn't show it. */
const endAtBank = ({ dueDate, body }: ShownTerms, createdAt: number): number | undefined => {
  const { expiracao, validadeAposVencimento = 0 } = body?.calendario ?? {}
  if (dueDate === undefined) return expiracao === undefined ? undefined : createdAt + Number(expiracao) * 1_000
  const last = plusDays(businessDay(dueDate), Number(validadeAposVencimento))
  return momentAt(last, 24) - 1
}

/** True for terms of the bank's staff that our change replaced before a look-up. */
const isReplaced = ({ termsRows = [] }: SettledCharge, revision: number): boolean => {
  const later = termsRows.find((row) => (row.revision ?? 0) > revision)
  return later !== undefined && later.by !== "bank" && !termsRows.some((row) => row.revision === revision)
}

/** Whether terms without a due date surely hadn't ended. */
const isInTime = (read: ShownTerms | undefined, { createdAt, payment: { paidAt } }: SettledCharge): boolean =>
  read?.dueDate === undefined && read !== undefined && paidAt < (endAtBank(read, createdAt) ?? 0) - secondMs

/** What the books know of a settled charge, and what its payer was shown. */
interface SeenMarks {
  readonly charge: SettledCharge
  readonly bank: LedgerCharge | undefined
  /** The revision that the payer's app had read. */
  readonly readRevision: number | undefined
  /** True if a process could not look up the charge when it recorded the payment. */
  readonly wasUnseen: boolean
}

const rowsOf = (charge: SettledCharge) => charge.termsRows?.filter((row) => row.refusedAt === undefined) ?? [charge]

/** Restored books have fewer terms than the bank, and a look-up shows no fees (decision 64). */
const hasForgottenFees = (charge: SettledCharge, { amountCents, dueDate }: ShownTerms, revision: number): boolean =>
  rowsOf(charge).filter((row) => !("by" in row && row.by === "bank")).length <= revision &&
  rowsOf(charge).some((row) => row.amountCents === amountCents && row.dueDate === dueDate)

/**
 * Finds wrong marks of the settling payment. It has the amount due if that was due on its day under terms that its payer can
 * have been shown, and is late after the last end of these. The terms of a refused change count only if the bank had them.
 */
export const findWrongMarks = ({ charge, bank, readRevision, wasUnseen }: SeenMarks): ReadonlyArray<string> => {
  const { payment, createdAt } = charge
  const { paidAt, amountCents, late, otherAmount } = payment
  const day = dayAt(paidAt)
  type DueTerms = Pick<SettledCharge, "amountCents" | "dueDate" | "fees">
  const asksFor = ({ amountCents: cents, dueDate, fees }: DueTerms) =>
    amountCents === (dueDate === undefined ? cents : amountDue(cents, dueDate, writeFees(fees ?? {}, dueDate), day))
  const isDue = rowsOf(charge).some(asksFor)
  const wasDue = charge.termsRows?.some((row) => asksFor(row) && (row.refusedAt ?? 0) > payment.recordedAt)
  const revisions = (bank?.termsByRevision ?? []).slice(0, bank === undefined ? 0 : bank.revision + 1)
  const isSeen = readRevision !== undefined && !isReplaced(charge, readRevision)
  const read = isSeen ? revisions[readRevision] : undefined
  const isAmountRead = read !== undefined && dueAtBank(read, day) === amountCents
  const wasRead = isSeen && isAmountRead && !hasForgottenFees(charge, read, readRevision)
  const wasAtBank = revisions.some((terms) => dueAtBank(terms, day) === amountCents)
  const end = Math.max(...rowsOf(charge).map(({ payableUntil }) => payableUntil))
  const ends = revisions.map((terms) => (endAtBank(terms, createdAt) ?? end + dayMs) + secondMs)
  const couldEnd = Math.max(end, ...(bank !== undefined && bank.revision > 0 ? ends : []))
  const name = `the payment of ${amountCents} cents`
  return [
    ...reportIf(otherAmount && isDue, `${name} has another amount, though a change asks for it`),
    ...reportIf(otherAmount && wasRead && !wasUnseen, `${name} has another amount, though its payer was shown it`),
    ...reportIf(
      !otherAmount && !isDue && !wasDue && !wasAtBank,
      `${name} has the amount due, which was never asked for`,
    ),
    ...reportIf(late && paidAt <= end, `${name} is late, though some terms had not ended`),
    ...reportIf(
      late && isInTime(read, charge) && !wasUnseen,
      `${name} is late, though its payer was shown a later end`,
    ),
    ...reportIf(!late && paidAt > couldEnd, `${name} isn't late, though all terms had ended`),
  ]
}
