import type { Charge, PaymentNotice } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { RememberedCharge, SandboxMemory } from "./SandboxMemory.ts"
import { payAgain } from "./SandboxPayment.ts"

const toNotice = ({ issuer, endToEndId, amountCents, paidAt, txid }: PaymentNotice): PaymentNotice => ({
  issuer,
  endToEndId,
  amountCents,
  paidAt,
  ...(txid !== undefined && { txid }),
})

/** What is known of the charge, with a payment that somebody confirmed of himself, and of one from before this memory. */
export const recall = (memory: SandboxMemory, charge: Charge): RememberedCharge => {
  const { issuer, txid, createdAt } = charge
  const known = memory.charge(issuer, txid) ?? { terms: charge, createdAt, removed: false, payments: [] }
  if (!("payment" in charge)) return known
  const { payment } = charge
  return known.payments.some(({ endToEndId }) => endToEndId === payment.endToEndId)
    ? known
    : { ...known, payments: [...known.payments, toNotice(payment)] }
}

/** What is paid, when, and how often. */
export interface AddedPayments {
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly count: number
}

/** Pays the charge further times, in any state; returns what a bank would send about it. */
export const addPayments = (
  memory: SandboxMemory,
  charge: Charge,
  { amountCents, paidAt, count }: AddedPayments,
): ReadonlyArray<PaymentNotice> => {
  const known = recall(memory, charge)
  const before = known.payments.length
  const made = Array.from({ length: count }, (_, at) => payAgain(charge, before + 1 + at, amountCents, paidAt))
  memory.remember(charge.issuer, charge.txid, { ...known, payments: [...known.payments, ...made] })
  return made
}
