import { type Charge, type PaidCharge, type PaymentNotice, type Return, returnedCents } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { findReturningAt, sandboxReturn } from "./SandboxPayment.ts"
import { SandboxParts, type SandboxProcessor, sandboxProcessorOn } from "./sandboxProcessor.ts"
import { addPayments, recall } from "./simulate.ts"

/**
 * The sandbox's processor, and acts at its bank for tests. The bank sends no notices: pass the notice of a payment to
 * `confirmPayment`, or reconcile the books.
 */
export interface SandboxBank {
  readonly processor: SandboxProcessor
  /** Pays the charge, even if it is paid or cancelled. Returns the notice that a bank would send. */
  readonly pay: (charge: Charge, amountCents: Cents, paidAt: number) => PaymentNotice
  /**
   * Returns money of the payment that settled the charge, without an order from pixcharge. Throws a RangeError for more than the
   * refundable amount.
   */
  readonly returnMoney: (charge: PaidCharge, amountCents: Cents, returnedAt: number) => Return
}

/**
 * Makes a bank of the sandbox for hosts' tests. Its processor lists the payments and returns that were made at the
 * bank.
 *
 * @example
 * const bank = sandboxBank()
 * const pix = createPix({ ...options, environment: "sandbox", processor: bank.processor })
 */
export const sandboxBank = (): SandboxBank => {
  const parts = new SandboxParts()
  const { memory } = parts
  return {
    processor: sandboxProcessorOn(() => parts),
    pay: (charge, amountCents, paidAt) => {
      const [payment] = addPayments(memory, charge, { amountCents, paidAt, count: 1 })
      return payment as PaymentNotice
    },
    returnMoney: (charge, amountCents, returnedAt) => {
      const { issuer, txid, payment } = charge
      const returns = memory.returns(issuer, payment.endToEndId)
      const refundableCents = payment.amountCents - returnedCents(payment.endToEndId, returns)
      if (!(Number.isInteger(amountCents) && amountCents > 0 && amountCents <= refundableCents)) {
        throw new RangeError(`from 1 to ${refundableCents} centavos of the payment can be returned`)
      }
      memory.remember(issuer, txid, recall(memory, charge))
      const row = sandboxReturn(payment, returns.length + 1, amountCents, findReturningAt(payment, returnedAt))
      memory.addReturn(row)
      return row
    },
  }
}
