import { type PaymentSimulator, type PlayOutcome, ProcessorUnavailable, SimulationDeclined } from "@pixcharge/core"
import type { Charge, PaidCharge, PaymentNotice, PendingCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { RememberedCharge, SandboxMemory } from "./SandboxMemory.ts"
import { payAgain, sandboxPayment } from "./SandboxPayment.ts"

const second = 1_000

/** Reads the outcome from the last two digits of the charge's amount (decision 17). */
const readOutcome = ({ amountCents }: PendingCharge | PaidCharge): PlayOutcome => {
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
      return "approved"
  }
}

/** A late payment can be in the future. A further payment is never before the earlier ones. */
const findPayingAt = (
  { payableUntil }: PendingCharge | PaidCharge,
  outcome: PlayOutcome,
  now: number,
  before: ReadonlyArray<PaymentNotice> = [],
): number => {
  const earliest = outcome === "paidLate" ? payableUntil + second : now
  return Math.max(now, earliest, ...before.map(({ paidAt }) => paidAt))
}

const pay = (
  charge: PendingCharge | PaidCharge,
  outcome: PlayOutcome,
  amountCents: Cents,
  now: number,
): ReadonlyArray<PaymentNotice> => {
  const paidAt = findPayingAt(charge, outcome, now)
  const first = sandboxPayment(charge, 1, amountCents, paidAt)
  return outcome === "paidTwice" ? [first, sandboxPayment(charge, 2, amountCents, paidAt)] : [first]
}

const failUnanswered = () => new ProcessorUnavailable({ operation: "simulate", cause: "the sandbox gives no answer" })

/**
 * Pays the charge and returns its notices. Amounts ending in ,91 are declined; ,92 time out but are paid; ,93 are paid
 * twice; ,94 are paid a second after `payableUntil`; ,95 lose their notice; all others are approved (decision 17). A
 * charge that the simulator has paid isn't paid again: the call returns the earlier notices. A charge that was paid in
 * another way has no notices.
 */
export const makeSimulate = (memory: SandboxMemory): PaymentSimulator["Service"]["simulate"] =>
  Effect.fnUntraced(function* (charge, amountDueCents) {
    const { issuer, id, txid } = charge
    const known = memory.charge(issuer, txid)
    const outcome = readOutcome(charge)
    const made = known?.payments ?? []
    if (charge._tag === "Paid") return outcome === "noticeLost" ? [] : made
    if (outcome === "declined" || known?.removed === true) return yield* new SimulationDeclined({ issuer, id })
    const payments = made.length > 0 ? made : pay(charge, outcome, amountDueCents, yield* Clock.currentTimeMillis)
    memory.remember(issuer, txid, { terms: charge, createdAt: charge.createdAt, removed: false, ...known, payments })
    if (outcome === "timesOut" && made.length === 0) return yield* failUnanswered()
    return outcome === "noticeLost" ? [] : payments
  })

export const makePlay = (memory: SandboxMemory): PaymentSimulator["Service"]["play"] =>
  Effect.fnUntraced(function* (charge, amountCents, outcome) {
    const { issuer, id } = charge
    const known = recall(memory, charge)
    if (outcome === "declined" || known.removed) return yield* new SimulationDeclined({ issuer, id })
    const paidAt = findPayingAt(charge, outcome, yield* Clock.currentTimeMillis, known.payments)
    const made = addPayments(memory, charge, { amountCents, paidAt, count: outcome === "paidTwice" ? 2 : 1 })
    if (outcome === "timesOut") return yield* failUnanswered()
    return outcome === "noticeLost" ? [] : made
  })

const toNotice = (payment: PaymentNotice): PaymentNotice =>
  Struct.pick(payment, ["issuer", "endToEndId", "amountCents", "paidAt", "txid"])

/** Returns the charge, and adds the payment in the books if this memory doesn't have it. */
export const recall = (memory: SandboxMemory, charge: Charge): RememberedCharge => {
  const known = memory.recall(charge)
  if (!("payment" in charge)) return known
  const { payment } = charge
  return known.payments.some(({ endToEndId }) => endToEndId === payment.endToEndId)
    ? known
    : { ...known, payments: [...known.payments, toNotice(payment)] }
}

/** Pays the charge `count` more times. Returns the notices that a bank would send. */
export const addPayments = (
  memory: SandboxMemory,
  charge: Charge,
  { amountCents, paidAt, count }: { readonly amountCents: Cents; readonly paidAt: number; readonly count: number },
): ReadonlyArray<PaymentNotice> => {
  const known = recall(memory, charge)
  const before = known.payments.length
  const made = Array.from({ length: count }, (_, index) => payAgain(charge, before + 1 + index, amountCents, paidAt))
  memory.remember(charge.issuer, charge.txid, { ...known, payments: [...known.payments, ...made] })
  return made
}
