import { TaggedError } from "../../runtime/error.ts"
import type { AboutCharge } from "./chargeErrors.ts"

/**
 * The charge's terms are bound: it is a cycle's charge.
 *
 * @repeat No.
 */
export class ChargeNotChangeable extends TaggedError("ChargeNotChangeable", {
  problem: ({ id }: AboutCharge) => `Charge ${id} belongs to a cycle of a recurrence, so its terms can't be changed.`,
  remedy: "Cancel the charge, or skip the cycle.",
}) {}

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
