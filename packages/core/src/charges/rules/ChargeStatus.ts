import { type Charge, isExpired, isFailed } from "./Charge.ts"

/** Every status that a charge can have. */
export const chargeStatuses = ["pending", "paid", "expired", "failed", "refunding", "refunded", "cancelled"] as const

/**
 * Where a charge stands: `expired` once its promised moment has passed unpaid, `failed` once the bank has given a cycle's debit up. A
 * payment may still arrive.
 */
export type ChargeStatus = (typeof chargeStatuses)[number]

/** The statuses that a charge in its state can have. */
export type StatusIn<Tag extends Charge["_tag"]> =
  | (typeof statuses)[Tag]
  | (Tag extends "Pending" ? "expired" | "failed" : never)

const statuses = {
  Pending: "pending",
  Paid: "paid",
  Refunding: "refunding",
  Refunded: "refunded",
  Cancelled: "cancelled",
} as const satisfies Readonly<Record<Charge["_tag"], ChargeStatus>>

/** The charge's status at `now`, in epoch milliseconds. */
export const chargeStatus = (charge: Charge, now: number): ChargeStatus =>
  isFailed(charge) ? "failed" : isExpired(charge, now) ? "expired" : statuses[charge._tag]
