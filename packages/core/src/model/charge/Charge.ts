import type { KeptDays } from "../calendar/BusinessDay.ts"
import type { ChargeCycle, Debit } from "../cycle/Debit.ts"
import type { Fees } from "../money/Fees.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { type PersonalMarks, withoutPersonal } from "../party/personal.ts"
import type { Txid } from "./ChargeId.ts"
import type { ContractTerms, HostTerms } from "./ChargeRequest.ts"
import { failedPart, type PartialRefund, partialRefundStatus } from "./PartialRefund.ts"
import { type Payment, type Return, returnedCents } from "./Payment.ts"
import {
  type FailedRefund,
  isSameRefund,
  mayStillBeCarriedOut,
  partialRefundId,
  type Refund,
  refundableUntil,
} from "./Refund.ts"

/** What is fixed when a charge is issued; only an erasure removes the payer. Instants are epoch milliseconds. */
export interface ChargeTerms extends ContractTerms, HostTerms {
  /** The company that issued it and receives the money. */
  readonly issuer: Cnpj
  readonly txid: Txid
  /** The id that we gave the transaction (`data.transacaoId`), a UUID. */
  readonly transactionId: string
  readonly payerErasedAt?: number
  /** Fine, interest, abatement and discount as they stood in the company's registration when it was issued. */
  readonly fees?: Fees
  /**
   * The closed days by which due date and fees are reckoned, as the company's calendar had them when it was issued. Absent without a
   * due date.
   */
  readonly closedDays?: KeptDays
  /** The copy-and-paste code (`data.retUrl`). Absent for a cycle's charge, which the payer's bank debits. */
  readonly brCode?: string
  /** Its presence makes it the charge of a recurrence's cycle. */
  readonly cycle?: ChargeCycle
  readonly createdAt: number
  /** Promised to the payer (`data.expira`, decision 10). */
  readonly payableUntil: number
  /** Until then a payment may still come, and we go on looking for it (decision 10). */
  readonly watchUntil: number
}

/** Fields that name the payer, or may: an erasure removes them. */
export const personalFields: { readonly terms: PersonalMarks<ChargeTerms>; readonly refund: PersonalMarks<Refund> } = {
  terms: {
    payer: true,
    messageToPayer: true,
    additionalInfo: true,
    issuer: false,
    id: false,
    txid: false,
    transactionId: false,
    amountCents: false,
    dueDate: false,
    payerErasedAt: false,
    fees: false,
    closedDays: false,
    brCode: false,
    cycle: false,
    createdAt: false,
    payableUntil: false,
    watchUntil: false,
  },
  refund: { reason: true, id: false, attempt: false, requestedAt: false, unanswered: false },
}

/** The fields of every state. Instants are epoch milliseconds, here and in the states. */
interface AnyState extends ChargeTerms {
  /** Counts the moves; a commit names the version it saw. Starts at 1. */
  readonly version: number
  readonly updatedAt: number
  /** When the reconciler next checks it at the processor; absent when nothing can have been missed. */
  readonly checkAt?: number
  /** Every return of the settling payment. */
  readonly returns: ReadonlyArray<Return>
  /** How far the debit of a cycle's charge has come; with `cycle` only. */
  readonly debit?: Debit
  /** Requested partial refunds, in any state, oldest first; absent while there are none. */
  readonly partialRefunds?: ReadonlyArray<PartialRefund>
}

/** Issued and not paid yet; expired once its promised moment has passed. */
export interface PendingCharge extends AnyState {
  readonly _tag: "Pending"
  /**
   * When it is looked up at the processor. Until then `checkAt` is when it wakes its company's reconciliation, which costs no
   * call. Absent after that, and with a local processor: then `checkAt` is when it is looked up.
   */
  readonly lookUpAt?: number
}

/** Settled by one payment. */
export interface PaidCharge extends AnyState {
  readonly _tag: "Paid"
  /** The payment that settled it; any other payment of the charge is an exception. */
  readonly payment: Payment
  /** The last refund that the processor did not carry out, with its words. */
  readonly failedRefund?: FailedRefund
}

/** Its refund is committed, and the processor has not answered yet. */
export interface RefundingCharge extends AnyState {
  readonly _tag: "Refunding"
  readonly payment: Payment
  readonly refund: Refund
}

/** Its whole payment went back. */
export interface RefundedCharge extends AnyState {
  readonly _tag: "Refunded"
  readonly payment: Payment
  /** Absent when the money went back outside (portal, dispute). */
  readonly refund?: Refund
  /** Epoch milliseconds. */
  readonly refundedAt: number
}

/** Taken away from its payer before it was paid. */
export interface CancelledCharge extends AnyState {
  readonly _tag: "Cancelled"
  /** Epoch milliseconds. */
  readonly cancelledAt: number
}

/** A charge in one of its states. */
export type Charge = PendingCharge | PaidCharge | RefundingCharge | RefundedCharge | CancelledCharge

/** The charge of a recurrence's cycle, in one of its states. */
export type CycleCharge<State extends Charge = Charge> = State & { readonly cycle: ChargeCycle }

/** Whether the payer's bank debits it, for a recurrence. */
export const isCycleCharge = <State extends Charge>(charge: State): charge is CycleCharge<State> =>
  charge.cycle !== undefined

/**
 * Expired is a view, not a state: pending after the promised moment, at `now` in epoch milliseconds. A
 * payment may still arrive (decision 10).
 */
export const isExpired = (charge: Charge, now: number): boolean =>
  charge._tag === "Pending" && now > charge.payableUntil

/** Whether the bank has given the debit of a cycle's charge up: like expired, a view of a pending one. */
export const isFailed = ({ _tag, debit }: Charge): boolean =>
  _tag === "Pending" && (debit?.status === "rejected" || debit?.status === "unpaid")

const withoutReason = <R extends Refund>(refund: R): R => withoutPersonal(refund, personalFields.refund)

/** The charge as it is after its payer's erasure, without their name and all texts that may contain it. */
export const withoutPayer = (charge: Charge, payerErasedAt: number): Charge => ({
  ...withoutPersonal(charge, personalFields.terms),
  payerErasedAt,
  ...(charge.partialRefunds && {
    partialRefunds: charge.partialRefunds.map((part) => ({ ...part, refund: withoutReason(part.refund) })),
  }),
  ...("refund" in charge && charge.refund && { refund: withoutReason(charge.refund) }),
  ...("failedRefund" in charge && charge.failedRefund && { failedRefund: withoutReason(charge.failedRefund) }),
})

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

/** A charge that has its payment. */
export type SettledCharge = PaidCharge | RefundingCharge | RefundedCharge

/** Whether the payment is the one that settled the charge. */
export const isSettledBy = (charge: Charge, endToEndId: string): boolean =>
  "payment" in charge && charge.payment.endToEndId === endToEndId

/** The parts of a charge that have not gone back, under way or failed. */
const listUnreturned = ({ partialRefunds = [], returns }: Charge): ReadonlyArray<PartialRefund> =>
  partialRefunds.filter((part) => partialRefundStatus(part, returns) !== "returned")

/** The part of this key, if the books have it. */
export const findPart = ({ partialRefunds }: Charge, key: string): PartialRefund | undefined =>
  partialRefunds?.find((part) => part.key === key)

/** What went back under this key, whether or not the books have its part. */
export const returnByKey = ({ payment, returns }: SettledCharge, key: string): Return | undefined => {
  const own = { id: partialRefundId(payment, key, 1) }
  return returns.find((returned) => isSameRefund(returned, own))
}

/** For how many cents this key stands: as many as went back under it, or else as were asked for. Undefined for a new key. */
export const keyCents = (charge: SettledCharge, key: string): Cents | undefined =>
  (returnByKey(charge, key) ?? findPart(charge, key))?.amountCents

/** The part that is under way: one at most. */
export const livePart = (charge: Charge): PartialRefund | undefined =>
  listUnreturned(charge).find(({ rejection }) => rejection === undefined)

/** The part that may still return money at this moment: the one under way, or one of whose calls nobody knows what became. */
export const openPart = (charge: Charge, now: number): PartialRefund | undefined =>
  listUnreturned(charge).find(({ refund, rejection }) => rejection === undefined || mayStillBeCarriedOut(refund, now))

/** The refunds of a paid charge that failed and may not have: a call for them has no answer. */
export const unsettledFailures = (charge: PaidCharge): ReadonlyArray<FailedRefund> =>
  [charge.failedRefund, ...listUnreturned(charge).map(failedPart)].filter(
    (refund): refund is FailedRefund => refund?.unanswered?.[0] !== undefined,
  )

/** What of the payment can still be asked back at this moment: what was paid, less what went back or may be on its way. */
export const refundableCents = (charge: Charge, now: number): number => {
  if (charge._tag !== "Paid") return 0
  const { payment, returns, failedRefund } = charge
  if (now > refundableUntil(payment.paidAt)) return 0
  if (failedRefund !== undefined && mayStillBeCarriedOut(failedRefund, now)) return 0
  const onItsWay = openPart(charge, now)?.amountCents ?? 0
  return Math.max(0, payment.amountCents - returnedCents(payment.endToEndId, returns) - onItsWay)
}
