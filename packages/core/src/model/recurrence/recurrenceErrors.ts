import { brasiliaWallClock } from "../calendar/BrasiliaTime.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { TaggedError } from "../../runtime/error.ts"
import type { RetryObstacle } from "../cycle/retries.ts"
import type { Recurrence } from "./Recurrence.ts"
import type { RecurrenceId } from "../cycle/RecurrenceId.ts"

export interface AboutRecurrence {
  readonly issuer: Cnpj
  readonly id: RecurrenceId
}

/**
 * The company has no recurrence with this id.
 *
 * @repeat No.
 */
export class RecurrenceNotFound extends TaggedError("RecurrenceNotFound", {
  problem: ({ id }: AboutRecurrence) => `The company has no recurrence ${id}.`,
  remedy: "Check the id, and the CNPJ of the company that offered the recurrence.",
}) {}

/**
 * Another recurrence on other terms has this id or contract.
 *
 * @repeat No, only under another id and contract.
 */
export class RecurrenceConflict extends TaggedError("RecurrenceConflict", {
  problem: ({ id }: AboutRecurrence) => `The id ${id} or its contract is taken by a recurrence on other terms.`,
  remedy: "Offer it under a new UUID and contract, or repeat the first request unchanged.",
}) {}

const standings: Record<Exclude<Recurrence["_tag"], "Approved">, string> = {
  Requested: "the bank has not answered its offer yet",
  Offered: "its payer has not authorised it yet",
  Ending: "its company is ending it",
  Ended: "it is over",
}

/**
 * The payer hasn't authorised the recurrence, or it is over.
 *
 * @repeat Yes, if `state` is `Requested` or `Offered`, once the payer has approved it.
 */
export class RecurrenceNotApproved extends TaggedError("RecurrenceNotApproved", {
  problem: ({ id, state }: AboutRecurrence & { readonly state: keyof typeof standings }) =>
    `No cycle can be charged by the recurrence ${id}: ${standings[state]}.`,
  remedy: "Wait for the event recurrence-approved, or offer a new recurrence if this one has ended.",
}) {}

/**
 * The payer has authorised one amount for every cycle, and the call names another.
 *
 * @repeat No, only with the amount that the payer has authorised, `amountCents`.
 */
export class AmountIsFixed extends TaggedError("AmountIsFixed", {
  problem: ({ id, amountCents }: AboutRecurrence & { readonly amountCents: number }) =>
    `Each cycle of the recurrence ${id} is charged with ${amountCents} centavos: its payer has authorised no other amount.`,
  remedy: "Charge that amount. For another one, end the recurrence and offer a new one.",
}) {}

/**
 * The payer can't be erased, because their recurrence isn't over.
 *
 * @repeat Yes, once the event recurrence-ended has come for it.
 */
export class PayerHasRecurrence extends TaggedError("PayerHasRecurrence", {
  problem: ({ id }: AboutRecurrence) => `The payer can't be erased: their recurrence ${id} is not over.`,
  remedy: "End the recurrence, wait for the event recurrence-ended, and erase the payer then.",
}) {}

/**
 * The cycle can't be charged: its window is not open, or it has a charge or a decision already.
 *
 * @repeat Yes, if the window opens later (`opensAt`, in epoch milliseconds). Otherwise no.
 */
export class CycleNotOpen extends TaggedError("CycleNotOpen", {
  problem: ({ id, cycle, opensAt }: AboutRecurrence & { readonly cycle: number; readonly opensAt?: number }) =>
    opensAt === undefined
      ? `Cycle ${cycle} of the recurrence ${id} can't be charged: its window has closed, or it was charged or skipped.`
      : `Cycle ${cycle} of the recurrence ${id} can't be charged before ${brasiliaWallClock(opensAt).slice(0, 16)} in Brasília.`,
  remedy:
    "A fixed amount is charged automatically when the window opens. Charge any other amount after the event cycle-due, until its chargeableUntil.",
}) {}

const obstacles: Record<RetryObstacle, string> = {
  notPermitted: "its payer's authorisation permits no new attempt",
  underWay: "an attempt is under way",
  exhausted: "three new attempts were made, and no more are permitted",
  tooLate: "no day is left for a new attempt",
  pointless: "its bank refused it for a reason that a new attempt doesn't change",
  notFailed: "no attempt of it has failed",
  wrongDay: "a new attempt can't be made on that day",
  paid: "it is paid",
  cancelled: "it is cancelled",
  notDebited: "it is not the charge of a recurrence's cycle",
}

const retryRemedies: Partial<Record<RetryObstacle, string>> = {
  underWay: "Wait for the event paid or payment-failed.",
  notFailed: "Wait for the event paid or payment-failed.",
  wrongDay: "Omit the day: the earliest possible day is then used.",
  paid: "No new attempt is needed: the money has arrived.",
  cancelled: "Charge the cycle again while its window is open, or collect by another charge.",
  notDebited: "Its payer pays it by its code.",
  notPermitted: "Collect by another charge.",
  pointless: "Collect by another charge.",
  exhausted: "Collect by another charge.",
}

/**
 * No new attempt of a cycle's debit can be requested.
 *
 * @repeat Yes, if `obstacle` is `underWay` or `notFailed`, after the event payment-failed. Otherwise no.
 */
export class RetryNotPossible extends TaggedError("RetryNotPossible", {
  problem: ({
    chargeId,
    obstacle,
  }: {
    readonly issuer: Cnpj
    readonly chargeId: string
    readonly obstacle: RetryObstacle
  }) => `The charge ${chargeId} can't be tried again: ${obstacles[obstacle]}.`,
  remedy: ({ obstacle }) =>
    retryRemedies[obstacle] ??
    "Request a new attempt before mayRetryUntil of the event payment-failed, or collect by another charge.",
}) {}
