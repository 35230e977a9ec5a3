import * as Result from "effect/Result"
import { ChargeCancelled, ChargeConflict, ChargeExpired, ChargeRefunded, ChargeRefunding } from "./chargeErrors.ts"
import { type Charge, isExpired, type PaidCharge, type PendingCharge, personalFields } from "./Charge.ts"
import { type ChargeRequest, contractTerms, hostTerms, immediateLifetimeSeconds } from "./ChargeRequest.ts"
import { payableForSeconds } from "./Expiry.ts"
import { about } from "./Transition.ts"

/** A charge that can be paid, or was: its request gets its first answer. */
export type IssuedCharge = (PendingCharge | PaidCharge) & Coded

/** A charge that the payer pays by its code, as all are but those of cycles. */
export interface Coded {
  readonly brCode: string
}

/** Whether it is paid by a code: a cycle's charge is debited. */
export const isCoded = <C extends Charge>(charge: C): charge is C & Coded => charge.brCode !== undefined

/** Why a charge can't be paid any more. */
export type PaymentRefusal = ChargeExpired | ChargeCancelled | ChargeRefunding | ChargeRefunded

/** Why a repeated request can't be given its first answer again. */
export type RepeatRefusal = ChargeConflict | PaymentRefusal

/** The charge if it is payable at this moment or paid. */
export const payableOrPaid = (charge: Charge & Coded, now: number): Result.Result<IssuedCharge, PaymentRefusal> => {
  if (isExpired(charge, now)) return Result.fail(new ChargeExpired(about(charge)))
  switch (charge._tag) {
    case "Pending":
    case "Paid":
      return Result.succeed(charge)
    case "Cancelled":
      return Result.fail(new ChargeCancelled(about(charge)))
    case "Refunding":
      return Result.fail(new ChargeRefunding(about(charge)))
    case "Refunded":
      return Result.fail(new ChargeRefunded(about(charge)))
  }
}

/**
 * A repeated request gets its first answer while the charge is payable or paid. "The same" is judged on meaning (cents,
 * due date, payer, and of a host's request validity and texts), never on bytes, and a dead code is never handed out as if
 * it were new (decisions 11 and 48).
 */
export const decideRepeat = (
  charge: Charge,
  request: ChargeRequest,
  now: number,
): Result.Result<IssuedCharge, RepeatRefusal> =>
  isCoded(charge) && isSameMeaning(charge, request)
    ? payableOrPaid(charge, now)
    : Result.fail(new ChargeConflict(about(charge)))

/** What a request leaves out means the default (decision 48). */
const isSameMeaning = (charge: Charge, request: ChargeRequest): boolean =>
  areSame(contractTerms, charge, request) &&
  (request.isOfContract === true || (isSameValidity(charge, request) && areSame(hostTerms, charge, request)))

const isSameValidity = (charge: Charge, request: ChargeRequest): boolean =>
  charge.dueDate !== undefined || payableForSeconds(charge) === (request.payableForSeconds ?? immediateLifetimeSeconds)

const personalTerms: ReadonlyArray<string> = personalFields.terms

// An erased term can't be compared any more, and a repeat must not become a conflict.
const areSame = (terms: Partial<typeof contractTerms & typeof hostTerms>, charge: Charge, request: ChargeRequest) => {
  for (const name in terms) {
    const term = name as keyof typeof terms
    const isErased = charge.payerErasedAt !== undefined && personalTerms.includes(term)
    if (!isErased && !isSame(charge[term], request[term])) return false
  }
  return true
}

/** Whether two plain values are the same, part by part. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  for (const name in a) if (!isSame(a[name as keyof typeof a], b[name as keyof typeof b])) return false
  for (const name in b) if (!(name in a)) return false
  return true
}
