import type { Charge, PaidCharge, PaymentNotice, Return } from "@pixcharge/core/charge"
import { returnedCents } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import { makeSandboxMemory, type RememberedCharge, type SandboxMemory } from "./SandboxMemory.ts"
import { sandboxPayment, sandboxReturn } from "./SandboxPayment.ts"
import { type SandboxProcessor, sandboxProcessorOn } from "./sandboxProcessor.ts"

/**
 * The sandbox's processor, and what happens at its bank without us. Nothing of it is told: a notice is to be handed to
 * `confirmPayment`, or the books are to be reconciled.
 */
export interface SandboxBank {
  readonly processor: SandboxProcessor
  /** Somebody pays the charge, whatever its state and however often it was paid; the notice that a bank would send. */
  readonly pay: (charge: Charge, amountCents: Cents, paidAt: number) => PaymentNotice
  /**
   * Money of the payment that settled the charge goes back, by no order of ours. Throws a RangeError for more than is left of
   * it.
   */
  readonly giveBack: (charge: PaidCharge, amountCents: Cents, returnedAt: number) => Return
}

const noticeOf = ({ issuer, endToEndId, amountCents, paidAt, txid }: PaymentNotice): PaymentNotice => ({
  issuer,
  endToEndId,
  amountCents,
  paidAt,
  ...(txid !== undefined && { txid }),
})

/** What is known of the charge, with a payment that somebody confirmed of himself, and of one from before this memory. */
const recall = (memory: SandboxMemory, charge: Charge): RememberedCharge => {
  const { issuer, txid, createdAt } = charge
  const known = memory.charge(issuer, txid) ?? { terms: charge, createdAt, removed: false, payments: [] }
  if (!("payment" in charge)) return known
  const { payment } = charge
  return known.payments.some(({ endToEndId }) => endToEndId === payment.endToEndId)
    ? known
    : { ...known, payments: [...known.payments, noticeOf(payment)] }
}

/**
 * A bank of the sandbox, for tests of hosts: what is done there is listed by its processor.
 *
 * @example
 * const bank = sandboxBank()
 * const pix = createPix({ ...options, environment: "sandbox", processor: bank.processor })
 */
export const sandboxBank = (): SandboxBank => {
  const memory = makeSandboxMemory()
  return {
    processor: sandboxProcessorOn(() => memory),
    pay: (charge, amountCents, paidAt) => {
      const known = recall(memory, charge)
      const payment = sandboxPayment(charge, known.payments.length + 1, amountCents, paidAt)
      memory.remember(charge.issuer, charge.txid, { ...known, payments: [...known.payments, payment] })
      return payment
    },
    giveBack: (charge, amountCents, returnedAt) => {
      const { issuer, txid, payment } = charge
      const returns = memory.returns(issuer, payment.endToEndId)
      const leftCents = payment.amountCents - returnedCents(payment.endToEndId, returns)
      if (!(Number.isInteger(amountCents) && amountCents > 0 && amountCents <= leftCents)) {
        throw new RangeError(`from 1 to ${leftCents} centavos of the payment can go back`)
      }
      memory.remember(issuer, txid, recall(memory, charge))
      const row = sandboxReturn(payment, returns.length + 1, amountCents, returnedAt)
      memory.addReturn(row)
      return row
    },
  }
}
