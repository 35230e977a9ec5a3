import { type Charge, isExpired } from "./Charge.ts"

/** Where a charge stands: `expired` once its promised moment has passed unpaid. */
export type ChargeStatus = "pending" | "paid" | "expired" | "refunding" | "refunded" | "cancelled"

const statuses = {
  Pending: "pending",
  Paid: "paid",
  Refunding: "refunding",
  Refunded: "refunded",
  Cancelled: "cancelled",
} as const satisfies Readonly<Record<Charge["_tag"], ChargeStatus>>

/** The charge's status at `now`, in epoch milliseconds. */
export const chargeStatus = (charge: Charge, now: number): ChargeStatus =>
  isExpired(charge, now) ? "expired" : statuses[charge._tag]
