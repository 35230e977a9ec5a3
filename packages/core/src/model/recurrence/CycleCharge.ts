import * as Result from "effect/Result"
import { endOfBrasiliaDay, startOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import type { CycleCharge, PendingCharge } from "../charge/Charge.ts"
import { type ChargeId, chargeTxid } from "../charge/ChargeId.ts"
import { sha256 } from "../charge/sha256.ts"
import { findOutside, isInRanges } from "../cycle/CycleRange.ts"
import { newDebit, unseenMs } from "../cycle/Debit.ts"
import { cycleEnd, type CycleSchedule, cycleSchedule, cycleStart, hasCycle } from "../cycle/cycles.ts"
import type { Cents } from "../money/Money.ts"
import type { ApprovedRecurrence, AuthorisedRecurrence, Recurrence, RecurrenceTerms } from "./Recurrence.ts"
import { CycleNotOpen } from "./recurrenceErrors.ts"

export type CyclePlan =
  | { readonly _tag: "Finished" }
  /** `until` is in epoch milliseconds. */
  | { readonly _tag: "Wait"; readonly until: number }
  | { readonly _tag: "Charge"; readonly schedule: CycleSchedule }
  | { readonly _tag: "Miss"; readonly cycle: number }
  /** `mayBeCharged`: skipped after its window opened, so that restored books can lack a charge that the bank has. */
  | { readonly _tag: "Skip"; readonly cycle: number; readonly mayBeCharged: boolean }

/**
 * Plans the first undecided cycle. After downtime, each cycle whose window closed is missed. A skipped cycle waits for its
 * window. Total and pure.
 */
export const planCycle = (recurrence: ApprovedRecurrence, holidays: Holidays, now: number): CyclePlan => {
  const { nextCycle: cycle, updatedAt, skipped = [] } = recurrence
  if (!hasCycle(recurrence, cycle)) return { _tag: "Finished" }
  const schedule = cycleSchedule(recurrence, cycle, holidays)
  // A cycle without a window is missed on its first day, because the calendar can change until then.
  const closesAt = schedule?.closesAt ?? startOfBrasiliaDay(cycleStart(recurrence, cycle))
  const opensAt = schedule?.opensAt ?? closesAt
  if (isInRanges(skipped, cycle) && now >= opensAt) {
    const mayBeCharged = updatedAt >= opensAt
    const until = updatedAt + unseenMs
    return mayBeCharged && now < until ? { _tag: "Wait", until } : { _tag: "Skip", cycle, mayBeCharged }
  }
  if (now >= closesAt) return { _tag: "Miss", cycle }
  if (schedule === undefined || now < opensAt) return { _tag: "Wait", until: opensAt }
  return { _tag: "Charge", schedule }
}

/** The first undecided, unskipped cycle with its window open or ahead. `now` is in epoch milliseconds. */
export const findNextCycle = (recurrence: Recurrence, holidays: Holidays, now: number): CycleSchedule | undefined => {
  const { nextCycle, skipped = [] } = recurrence
  for (let cycle = findOutside(skipped, nextCycle); hasCycle(recurrence, cycle);) {
    const schedule = cycleSchedule(recurrence, cycle, holidays)
    if (schedule !== undefined && now < schedule.closesAt) return schedule
    cycle = findOutside(skipped, cycle + 1)
  }
  return undefined
}

/** The next due date if the payer authorises by `now` (epoch milliseconds). */
export const findNextDueDate = (recurrence: Recurrence, holidays: Holidays, now: number): LocalDate | undefined => {
  const isOver = recurrence._tag === "Ending" || recurrence._tag === "Ended"
  return isOver ? undefined : findNextCycle(recurrence, holidays, now)?.dueDate
}

export interface CycleRequest {
  /** Counted from 1. */
  readonly cycle: number
  readonly amountCents: Cents
  /** A day of the cycle; by default its first. */
  readonly dueDate?: LocalDate
}

/** `now` is in epoch milliseconds. */
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
  return schedule !== undefined && !isInRanges(skipped, cycle) && now < schedule.closesAt
    ? Result.succeed(schedule)
    : Result.fail(new CycleNotOpen({ issuer, id, cycle }))
}

const variants = "89ab"

/**
 * The id of a cycle's charge: a version 8 UUID derived from company, recurrence, cycle and generation. A second process and
 * restored books produce the same id and txid, and the bank takes a txid once.
 *
 * `generation` counts from 1. It grows only after the bank confirms that the previous charge is cancelled or rejected.
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

/** Whether the id can name a cycle's charge. A host's own charge can have such an id too. */
export const mayBeCycleCharge = (id: ChargeId): boolean => id.charAt(14) === "8"

/** How many days the watch continues, because a bank can report a payment late. */
const watchDays = 2

/** Stored before the call to the bank. `now` is in epoch milliseconds. */
export const newCycleCharge = (
  recurrence: AuthorisedRecurrence,
  { cycle, dueDate, settlesOn, retryDays: possible, plannedRetryDays }: CycleSchedule,
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
    cycle: {
      recurrenceId,
      contract,
      cycle,
      generation,
      bankId,
      settlesOn,
      retryDays,
      ...(plannedRetryDays && { plannedRetryDays }),
    },
    createdAt: now,
    payableUntil: endOfBrasiliaDay(lastDay),
    watchUntil: endOfBrasiliaDay(addDays(lastDay, watchDays)),
    version: 1,
    updatedAt: now,
    returns: [],
    debit: newDebit,
  }
}
