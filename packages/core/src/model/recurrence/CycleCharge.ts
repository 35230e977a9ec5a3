import * as Result from "effect/Result"
import { endOfBrasiliaDay, startOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import type { CycleCharge, PendingCharge } from "../charge/Charge.ts"
import { type ChargeId, chargeTxid } from "../charge/ChargeId.ts"
import { sha256 } from "../charge/sha256.ts"
import { newDebit, unseenMs } from "../cycle/Debit.ts"
import { cycleEnd, type CycleSchedule, cycleSchedule, cycleStart, hasCycle, mayHaveCharge } from "../cycle/cycles.ts"
import type { Cents } from "../money/Money.ts"
import type { ApprovedRecurrence, AuthorisedRecurrence, Recurrence, RecurrenceTerms } from "./Recurrence.ts"
import { CycleNotOpen } from "./recurrenceErrors.ts"

/** What is to be done about the cycles of a recurrence. */
export type CyclePlan =
  /** All its cycles are decided. */
  | { readonly _tag: "Finished" }
  /** Nothing before this moment: epoch milliseconds. */
  | { readonly _tag: "Wait"; readonly until: number }
  /** Make the cycle's charge now: of the recurrence's amount, or of the one that its host says. */
  | { readonly _tag: "Charge"; readonly schedule: CycleSchedule }
  /** The cycle's window has closed, and nothing is charged late: its host is told. */
  | { readonly _tag: "Miss"; readonly cycle: number }
  /** Its host leaves the cycle out. Once its window has opened, the bank may have a charge that restored books have forgotten. */
  | { readonly _tag: "Skip"; readonly cycle: number; readonly hasOpened: boolean }

/**
 * Decides about the first undecided cycle, one at a time: a host that was down for months finds each window closed, and charges the
 * one that is open. Total and pure.
 */
export const planCycle = (recurrence: ApprovedRecurrence, holidays: Holidays, now: number): CyclePlan => {
  const { nextCycle: cycle, updatedAt, skipped = [] } = recurrence
  if (!hasCycle(recurrence, cycle)) return { _tag: "Finished" }
  const schedule = cycleSchedule(recurrence, cycle, holidays)
  // A window that the calendar leaves no day is given up on the day of the cycle: until then the calendar may change.
  const closesAt = schedule?.closesAt ?? startOfBrasiliaDay(cycleStart(recurrence, cycle))
  if (skipped.includes(cycle)) {
    const hasOpened = mayHaveCharge(schedule, now)
    const until = updatedAt + unseenMs
    return hasOpened && now < until ? { _tag: "Wait", until } : { _tag: "Skip", cycle, hasOpened }
  }
  if (now >= closesAt) return { _tag: "Miss", cycle }
  if (schedule === undefined || now < schedule.opensAt) return { _tag: "Wait", until: schedule?.opensAt ?? closesAt }
  return { _tag: "Charge", schedule }
}

/**
 * The schedule of the first undecided cycle whose window isn't over by now (epoch milliseconds), and that its host doesn't leave
 * out. Undefined where none is left.
 */
export const findNextCycle = (recurrence: Recurrence, holidays: Holidays, now: number): CycleSchedule | undefined => {
  const { nextCycle, skipped = [] } = recurrence
  for (let cycle = nextCycle; hasCycle(recurrence, cycle); cycle++) {
    const schedule = cycleSchedule(recurrence, cycle, holidays)
    if (schedule !== undefined && now < schedule.closesAt && !skipped.includes(cycle)) return schedule
  }
  return undefined
}

/**
 * The day on which the payer owes the next cycle of which no charge was made yet, if it is authorised by now (epoch milliseconds).
 * Undefined where none is left, and once the recurrence is over.
 */
export const findNextDueDate = (recurrence: Recurrence, holidays: Holidays, now: number): LocalDate | undefined => {
  const isOver = recurrence._tag === "Ending" || recurrence._tag === "Ended"
  return isOver ? undefined : findNextCycle(recurrence, holidays, now)?.dueDate
}

/** What a host says of one cycle. */
export interface CycleRequest {
  /** Counted from 1. */
  readonly cycle: number
  readonly amountCents: Cents
  /** A day of the cycle; by default its first. */
  readonly dueDate?: LocalDate
}

/** The schedule of a cycle that a host may charge now, in epoch milliseconds. */
export const openCycle = (
  recurrence: ApprovedRecurrence,
  { cycle, dueDate }: CycleRequest,
  holidays: Holidays,
  now: number,
): Result.Result<CycleSchedule, CycleNotOpen> => {
  const { issuer, id, skipped = [] } = recurrence
  const isInside =
    hasCycle(recurrence, cycle) &&
    (dueDate === undefined || (dueDate >= cycleStart(recurrence, cycle) && dueDate <= cycleEnd(recurrence, cycle)))
  const schedule = isInside ? cycleSchedule(recurrence, cycle, holidays, dueDate) : undefined
  const opensAt = schedule?.opensAt ?? now
  if (now < opensAt) return Result.fail(new CycleNotOpen({ issuer, id, cycle, opensAt }))
  return schedule !== undefined && !skipped.includes(cycle) && now < schedule.closesAt
    ? Result.succeed(schedule)
    : Result.fail(new CycleNotOpen({ issuer, id, cycle }))
}

const variants = "89ab"

/**
 * The id of a cycle's charge, a UUID of version 8: it follows from company, recurrence, cycle and generation. Two processes, a
 * crash and books restored from a backup all arrive at one id, and so at one txid, which the bank takes once.
 *
 * `generation` counts from 1, and moves on only after the bank has confirmed that the charge before is cancelled or rejected.
 */
export const cycleChargeId = (
  { issuer, id }: Pick<RecurrenceTerms, "issuer" | "id">,
  cycle: number,
  generation: number,
): ChargeId => {
  const hex = sha256(`${issuer}/${id}/${cycle}/${generation}`)
  const variant = variants.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as ChargeId
}

/** Whether an id can be that of a cycle's charge, by its form alone; a host may have given any charge of its own such an id. */
export const mayBeCycleCharge = (id: ChargeId): boolean => id.charAt(14) === "8"

/** For how many days after its last attempt a payment may still be reported. */
const watchDays = 2

/** The charge of a cycle, to be stored before the bank is told. `now` in epoch milliseconds. */
export const newCycleCharge = (
  recurrence: AuthorisedRecurrence,
  { cycle, dueDate, settlesOn, retryDays: possible }: CycleSchedule,
  given: { readonly amountCents: Cents; readonly generation: number; readonly transactionId: string },
  now: number,
): CycleCharge<PendingCharge> => {
  const { issuer, id: recurrenceId, contract, bankId, payer, payerErasedAt, retries } = recurrence
  const { amountCents, generation, transactionId } = given
  const id = cycleChargeId(recurrence, cycle, generation)
  const retryDays = retries === "none" ? [] : possible
  const lastDay = retryDays.at(-1) ?? settlesOn
  return {
    _tag: "Pending",
    issuer,
    id,
    txid: chargeTxid(issuer, id),
    transactionId,
    amountCents,
    dueDate,
    ...(payer && { payer }),
    ...(payerErasedAt !== undefined && { payerErasedAt }),
    cycle: { recurrenceId, contract, cycle, generation, bankId, settlesOn, retryDays },
    createdAt: now,
    payableUntil: endOfBrasiliaDay(lastDay),
    watchUntil: endOfBrasiliaDay(addDays(lastDay, watchDays)),
    version: 1,
    updatedAt: now,
    returns: [],
    debit: newDebit,
  }
}
