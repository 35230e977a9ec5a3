import type { KeptDays } from "../calendar/BusinessDay.ts"
import type { ChargeCycle, Debit } from "../cycle/Debit.ts"
import type { Fees } from "../money/Fees.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { type PersonalMarks, withoutPersonal } from "../party/personal.ts"
import type { Txid } from "./ChargeId.ts"
import type { ContractTerms, HostTerms } from "./ChargeRequest.ts"
import { type ShopTexts, shopTexts } from "./ShopTexts.ts"
import type { TermsRow } from "./TermsRow.ts"
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

/** The terms in force, the or a change's. Only an erasure removes the payer. Here and in the states, instants are epoch milliseconds. */
export interface ChargeTerms extends ContractTerms, HostTerms {
  readonly issuer: Cnpj
  readonly txid: Txid
  /** Our UUID (`data.transacaoId`). */
  readonly transactionId: string
  readonly payerErasedAt?: number
  /** The fees at issue. Absent without a due date. */
  readonly fees?: Fees
  /** Absent without a due date. */
  readonly closedDays?: KeptDays
  /** The copy-and-paste code (`data.retUrl`). Absent for a cycle's charge. */
  readonly brCode?: string
  /** Only for a cycle's charge. */
  readonly cycle?: ChargeCycle
  readonly createdAt: number
  /** The end of the promised time to pay (`data.expira`, decision 10). */
  readonly payableUntil: number
  /** The end of the watch for a late payment (decision 10). */
  readonly watchUntil: number
}

/** Marks the fields that can name the payer. */
export const personalFields: { readonly terms: PersonalMarks<ChargeTerms>; readonly refund: PersonalMarks<Refund> } = {
  terms: {
    payer: true,
    messageToPayer: true,
    additionalInfo: true,
    requested: false,
    reference: true,
    metadata: true,
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

interface AnyState extends ChargeTerms {
  /** Counts moves from 1. A commit names the version that it read. */
  readonly version: number
  readonly updatedAt: number
  /** The reconciler's next check; absent if no payment or answer can have been missed. */
  readonly checkAt?: number
  /** When `expired` was published, in epoch milliseconds. */
  readonly expiryEventAt?: number
  /** All returns of the settling payment. */
  readonly returns: ReadonlyArray<Return>
  /** Only with `cycle`. */
  readonly debit?: Debit
  /** All terms by number, if a change was ever requested. The charge itself has the terms in force. */
  readonly termsRows?: ReadonlyArray<TermsRow>
  /** Partial refunds in any state, oldest first; never empty. */
  readonly partialRefunds?: ReadonlyArray<PartialRefund>
}

/** Issued and not paid; expired after `payableUntil`. */
export interface PendingCharge extends AnyState {
  readonly _tag: "Pending"
  /** The look-up's time, in epoch milliseconds; by default `checkAt`. Until then `checkAt` only wakes the company's sweep. */
  readonly lookUpAt?: number
}

export interface PaidCharge extends AnyState {
  readonly _tag: "Paid"
  /** The settling payment; any other payment of the charge is an exception. */
  readonly payment: Payment
  readonly failedRefund?: FailedRefund
}

/** The refund is committed. The processor hasn't answered. */
export interface RefundingCharge extends AnyState {
  readonly _tag: "Refunding"
  readonly payment: Payment
  readonly refund: Refund
}

export interface RefundedCharge extends AnyState {
  readonly _tag: "Refunded"
  readonly payment: Payment
  /** Absent if the money went back by other means, such as a dispute. */
  readonly refund?: Refund
  /** Epoch milliseconds. */
  readonly refundedAt: number
}

/** Who cancelled a charge: the host, an operator in the portal, the bank, or its `terms`, which the bank refused to restore. */
export type CancelledBy = "host" | "portal" | "bank" | "terms"

export interface CancelledCharge extends AnyState {
  readonly _tag: "Cancelled"
  /** Epoch milliseconds. */
  readonly cancelledAt: number
  /** Absent for a cycle's charge. */
  readonly cancelledBy?: CancelledBy
}

export type Charge = PendingCharge | PaidCharge | RefundingCharge | RefundedCharge | CancelledCharge

export type CycleCharge<State extends Charge = Charge> = State & { readonly cycle: ChargeCycle }

/** Whether the payer's bank debits the charge for a recurrence. */
export const isCycleCharge = <State extends Charge>(charge: State): charge is CycleCharge<State> =>
  charge.cycle !== undefined

/**
 * Whether the charge is pending after `payableUntil`. It can still be paid (decision 10). `now` is in epoch milliseconds.
 */
export const isExpired = (charge: Charge, now: number): boolean =>
  charge._tag === "Pending" && now > charge.payableUntil

/** Whether the bank has given up the debit of a pending charge. */
export const isFailed = ({ _tag, debit }: Charge): boolean =>
  _tag === "Pending" && (debit?.status === "rejected" || debit?.status === "unpaid")

const withoutReason = <R extends Refund>(refund: R): R => withoutPersonal(refund, personalFields.refund)

const rowWithoutPayer = (row: TermsRow, { reference, metadata }: ShopTexts): TermsRow => ({
  ...withoutPersonal(row, personalFields.terms),
  ...((reference ?? metadata) !== undefined && shopTexts(row)),
})

/** Removes all texts that can name the payer, except `kept`. */
export const withoutPayer = (charge: Charge, payerErasedAt: number, kept: ShopTexts = {}): Charge => ({
  ...withoutPersonal(charge, personalFields.terms),
  ...shopTexts(kept),
  payerErasedAt,
  ...(charge.termsRows && { termsRows: charge.termsRows.map((row) => rowWithoutPayer(row, kept)) }),
  ...(charge.partialRefunds && {
    partialRefunds: charge.partialRefunds.map((part) => ({ ...part, refund: withoutReason(part.refund) })),
  }),
  ...("refund" in charge && charge.refund && { refund: withoutReason(charge.refund) }),
  ...("failedRefund" in charge && charge.failedRefund && { failedRefund: withoutReason(charge.failedRefund) }),
})

export const chargeStatuses = ["pending", "paid", "expired", "failed", "refunding", "refunded", "cancelled"] as const

/** `expired` and `failed` are views of a pending charge (`isExpired`, `isFailed`). */
export type ChargeStatus = (typeof chargeStatuses)[number]

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

/** `now` is in epoch milliseconds. */
export const chargeStatus = (charge: Charge, now: number): ChargeStatus =>
  isFailed(charge) ? "failed" : isExpired(charge, now) ? "expired" : statuses[charge._tag]

export type SettledCharge = PaidCharge | RefundingCharge | RefundedCharge

export const isSettledBy = (charge: Charge, endToEndId: string): boolean =>
  "payment" in charge && charge.payment.endToEndId === endToEndId

const listUnreturned = ({ partialRefunds = [], returns }: Charge): ReadonlyArray<PartialRefund> =>
  partialRefunds.filter((part) => partialRefundStatus(part, returns) !== "returned")

export const findPart = ({ partialRefunds }: Charge, key: string): PartialRefund | undefined =>
  partialRefunds?.find((part) => part.key === key)

/** The return under a key, even if the books lack the key's partial refund. */
export const returnByKey = ({ payment, returns }: SettledCharge, key: string): Return | undefined => {
  const own = { id: partialRefundId(payment, key, 1) }
  return returns.find((returned) => isSameRefund(returned, own))
}

/** The returned or else the requested cents; undefined for a new key. */
export const keyCents = (charge: SettledCharge, key: string): Cents | undefined =>
  (returnByKey(charge, key) ?? findPart(charge, key))?.amountCents

export const livePart = (charge: Charge): PartialRefund | undefined =>
  listUnreturned(charge).find(({ rejection }) => rejection === undefined)

/** The partial refund that can still return money. */
export const openPart = (charge: Charge, now: number): PartialRefund | undefined =>
  listUnreturned(charge).find(({ refund, rejection }) => rejection === undefined || mayStillBeCarriedOut(refund, now))

/** The failed refunds that the processor can still carry out. */
export const unsettledFailures = (charge: PaidCharge): ReadonlyArray<FailedRefund> =>
  [charge.failedRefund, ...listUnreturned(charge).map(failedPart)].filter(
    (refund): refund is FailedRefund => refund?.unanswered?.[0] !== undefined,
  )

/** The amount paid, less returns and refunds that can still be carried out. */
export const refundableCents = (charge: Charge, now: number): number => {
  if (charge._tag !== "Paid") return 0
  const { payment, returns, failedRefund } = charge
  if (now > refundableUntil(payment.paidAt)) return 0
  if (failedRefund !== undefined && mayStillBeCarriedOut(failedRefund, now)) return 0
  const onItsWay = openPart(charge, now)?.amountCents ?? 0
  return Math.max(0, payment.amountCents - returnedCents(payment.endToEndId, returns) - onItsWay)
}
