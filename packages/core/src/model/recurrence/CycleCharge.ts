import { endOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { addDays } from "../calendar/LocalDate.ts"
import type { CycleCharge, PendingCharge } from "../charge/Charge.ts"
import { type ChargeId, chargeTxid } from "../charge/ChargeId.ts"
import { sha256 } from "../charge/sha256.ts"
import { newDebit } from "../cycle/Debit.ts"
import type { CycleSchedule } from "../cycle/cycles.ts"
import type { Cents } from "../money/Money.ts"
import type { AuthorisedRecurrence, RecurrenceTerms } from "./Recurrence.ts"

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
