import { endOfBrasiliaDay } from "../../calendar/BrasiliaTime.ts"
import { addDays } from "../../calendar/LocalDate.ts"
import type { CycleCharge, PendingCharge } from "../../charges/rules/Charge.ts"
import { chargeTxid } from "../../charges/rules/ChargeId.ts"
import type { Cents } from "../../money/Money.ts"
import { cycleChargeId } from "./cycleChargeId.ts"
import type { CycleSchedule } from "../cycles/cycleSchedule.ts"
import { newDebit } from "../cycles/Debit.ts"
import type { AuthorisedRecurrence } from "./Recurrence.ts"

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
