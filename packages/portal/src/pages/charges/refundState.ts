import type { PlainCharge, PlainPartialRefund } from "@pixcharge/embed"
import { formats } from "../../parts/formats.ts"
import { chargeMoney } from "./chargeMoney.ts"
import { refundTexts } from "./chargeTexts.ts"

/** A part that the processor refused, and its index in the charge's list, which names it in URLs. */
export interface FailedPart {
  readonly at: number
  readonly part: PlainPartialRefund
}

/** What can be returned of a charge. */
export interface RefundState {
  /** How much is left; 0 if nothing can be returned, and `blocked` says why. */
  readonly restCents: number
  /** Whether the whole payment is left: then its refund is the charge's own. */
  readonly isWhole: boolean
  /** Refused parts, which can be requested again under their own keys. */
  readonly failedParts: ReadonlyArray<FailedPart>
  readonly blocked?: string
}

const blockedText = (charge: PlainCharge, now: number): string => {
  const { blocked } = refundTexts
  if (charge._tag === "Refunding") return blocked.refunding
  if (charge._tag === "Refunded") return blocked.refunded
  if (charge._tag !== "Paid") return blocked.notPaid
  const { refundableUntil = 0, returningCents } = chargeMoney(charge)
  if (now > refundableUntil) return blocked.window(formats.moment(refundableUntil))
  return returningCents > 0 ? blocked.part : blocked.uncertain
}

/** Returns what can be returned at a moment, in epoch milliseconds. */
export const refundState = (charge: PlainCharge, now: number): RefundState => {
  const { refundableCents: restCents, partialRefunds = [] } = charge
  const { paidCents, refundableUntil = 0 } = chargeMoney(charge)
  const failedParts =
    charge._tag === "Paid" && now <= refundableUntil
      ? partialRefunds.flatMap((part, at) => (part.status === "failed" ? [{ at, part }] : []))
      : []
  return {
    restCents,
    isWhole: restCents > 0 && restCents === paidCents,
    failedParts,
    ...(restCents === 0 && { blocked: blockedText(charge, now) }),
  }
}
