import { type Prose, TaggedError } from "../../runtime/error.ts"
import type { AboutCharge } from "./chargeErrors.ts"
import { keyRule } from "./hostKey.ts"

const rules = {
  key: keyRule,
  dueDate: "can only replace a due date, because a charge keeps its kind",
  graceDays: "must end in the future",
  payableForSeconds: "must end in the future: it counts from the charge's creation",
} as const

/**
 * The change has no valid key, gives a due date to a charge without one, or ends in the past.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected change.
 */
export class InvalidChargeChange extends TaggedError("InvalidChargeChange")<{ readonly field: keyof typeof rules }> {
  override get message(): string {
    return `The change's ${this.field} ${rules[this.field]}.`
  }
}

const bindings = {
  cycle: "it belongs to a cycle of a recurrence",
  offer: "a recurrence is offered with it",
  bank: "its bank can't change a charge",
} as const

/**
 * The charge's terms can't be changed: it belongs to a cycle, a recurrence is offered with it, or its bank has no changes.
 *
 * @repeat No.
 */
export class ChargeNotChangeable extends TaggedError("ChargeNotChangeable", {
  problem: ({ id, because }: AboutCharge & { readonly because: keyof typeof bindings }) =>
    `The terms of charge ${id} can't be changed, because ${bindings[because]}.`,
  remedy: "Cancel the charge and issue another one.",
}) {}

/**
 * The processor refused the change, or the charge was changed at the bank meanwhile. The charge keeps its terms.
 *
 * @repeat No, only another change under another key.
 */
export class ChangeRejected extends TaggedError("ChangeRejected", {
  problem: ({ id }: AboutCharge) => `The processor rejected the change of charge ${id}, which keeps its terms.`,
  remedy: "Read the processor's reason with `Redacted.value(error.reason)`.",
})<AboutCharge & { readonly reason: Prose }> {}

type AboutChange = AboutCharge & { readonly key: string }

/**
 * Another change of the charge has this key and other terms.
 *
 * @repeat No, only under another key.
 */
export class ChangeConflict extends TaggedError("ChangeConflict", {
  problem: ({ id }: AboutChange) => `A change of charge ${id} has this key and other terms.`,
  remedy: "Give another change a key of its own; to repeat the first one, give its terms.",
  hidden: ["key"],
}) {}

/**
 * Another change of the charge is requested, and its end isn't known yet; `key` names it.
 *
 * @repeat Yes, once the other change has ended.
 */
export class ChangeUnderWay extends TaggedError("ChangeUnderWay", {
  problem: ({ id }: AboutCharge & { readonly key?: string }) =>
    `Another change of charge ${id} is under way: \`error.key\` names it.`,
  remedy: "Repeat that change under its key until it has ended, then make this call again.",
  hidden: ["key"],
}) {}
