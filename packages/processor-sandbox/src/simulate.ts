import { type PaymentNotice, type PaymentSimulator, ProcessorUnavailable, SimulationDeclined } from "@pixcharge/core"
import type { PaidCharge, PendingCharge } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SandboxMemory } from "./SandboxMemory.ts"
import { sandboxPayment } from "./SandboxPayment.ts"

const second = 1_000

/** What happens to a payment, by the cents in which the charge's amount ends (decision 17). */
const chooseScript = ({ amountCents }: PendingCharge | PaidCharge) => {
  switch (amountCents % 100) {
    case 91:
      return "declined"
    case 92:
      return "timesOut"
    case 93:
      return "paidTwice"
    case 94:
      return "paidLate"
    case 95:
      return "noticeLost"
    default:
      return "paid"
  }
}

type Script = ReturnType<typeof chooseScript>

const pay = (charge: PendingCharge, script: Script, amountCents: Cents, now: number): ReadonlyArray<PaymentNotice> => {
  const paidAt = script === "paidLate" ? Math.max(now, charge.payableUntil + second) : now
  const first = sandboxPayment(charge, 1, amountCents, paidAt)
  return script === "paidTwice" ? [first, sandboxPayment(charge, 2, amountCents, paidAt)] : [first]
}

/**
 * Pays the charge and answers with its notices. Amounts ending in ,91 are declined, ,92 time out and are paid all the
 * same, ,93 are paid twice, ,94 are paid a second after the promised moment, ,95 lose their notice; all others are
 * approved (decision 17). A charge that was paid before is not paid again: the notices of what was paid here come once
 * more, also when the first answer timed out or a notice of it was lost; a charge paid elsewhere has none.
 */
export const makeSimulate = (memory: SandboxMemory): PaymentSimulator["Service"]["simulate"] =>
  Effect.fnUntraced(function* (charge, amountDueCents) {
    const { issuer, id, txid } = charge
    const known = memory.charge(issuer, txid)
    const script = chooseScript(charge)
    const made = known?.payments ?? []
    if (charge._tag === "Paid") return script === "noticeLost" ? [] : made
    if (script === "declined" || known?.removed === true) return yield* new SimulationDeclined({ issuer, id })
    const payments = made.length > 0 ? made : pay(charge, script, amountDueCents, yield* Clock.currentTimeMillis)
    memory.remember(issuer, txid, { terms: charge, createdAt: charge.createdAt, removed: false, ...known, payments })
    if (script === "timesOut" && made.length === 0)
      return yield* new ProcessorUnavailable({ operation: "simulate", cause: "amount ends in ,92" })
    return script === "noticeLost" ? [] : payments
  })
