import { type Charge, isExpired } from "./Charge.ts"

/** Where a charge stands: `expired` once its promised moment has passed unpaid. */
export type ChargeStatus = (typeof statuses)[Charge["_tag"]] | "expired"

/** The statuses that a charge in its state can have. */
export type StatusIn<Tag extends Charge["_tag"]> = (typeof statuses)[Tag] | (Tag extends "Pending" ? "expired" : never)

const statuses = {
  Pending: "pending",
  Paid: "paid",
  Refunding: "refunding",
  Refunded: "refunded",
  Cancelled: "cancelled",
} as const satisfies Readonly<Record<Charge["_tag"], string>>

/** The charge's status at `now`, in epoch milliseconds. */
export const chargeStatus = (charge: Charge, now: number): ChargeStatus =>
  isExpired(charge, now) ? "expired" : statuses[charge._tag]
