import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isCycleCharge } from "../../model/charge/Charge.ts"
import { isTxidOfAnother } from "../../model/charge/ChargeId.ts"
import type { Payment, Return } from "../../model/charge/Payment.ts"
import { PeriodTooLarge, ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { Period } from "../../runtime/page.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ChargeLists } from "../../ports/ChargeLists.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import { toComparison, comparePayment, type RecordedPayment } from "./Comparison.ts"
import { readListed } from "./recordPage.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"

const hourMs = 3_600_000
/** A day, plus an hour where clocks are set back. */
const maxPeriodMs = 25 * hourMs
/** Maximum number of payments on each side. */
const maxPayments = 50_000
/** Ends a list whose pages hold at most one payment. */
const maxPages = 5_000
const pageSize = 1_000
/** The bank and the books can date a payment differently, so both lists begin earlier and end later. */
const marginMs = 5 * 60_000

/** Processors write ids in upper or lower case. */
const paymentKey = ({ endToEndId }: Pick<Payment, "endToEndId">): string => endToEndId.toLowerCase()

const refuseMoreThan = (max: number) => new PeriodTooLarge({ operation: "comparison", max: `${max} payments` })

interface Compared {
  readonly issuer: Cnpj
  readonly around: Period
  readonly max: number
}

/** Separates other companies' payments, unless the books have them. */
const readBank = Effect.fnUntraced(function* (
  { processor, books }: ReconcilerPorts,
  { issuer, around, max }: Compared,
  recorded: ReadonlyMap<string, unknown>,
) {
  const listed = new Map<string, ReceivedPayment>()
  const others = new Map<string, ReceivedPayment>()
  let unreadable = 0
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const page = yield* readListed(processor, issuer, around, cursor)
    unreadable += page.unreadable ?? 0
    const receivers = yield* books.receivers(issuer, page.items)
    for (const [index, receiver] of receivers.entries()) {
      const received = page.items[index] as ReceivedPayment
      const isBooked = recorded.has(paymentKey(received))
      const company = Result.getOrElse(receiver, () => (isBooked ? issuer : undefined))
      if (Result.isFailure(receiver) && !isBooked) unreadable += 1
      if (company === issuer || (company === undefined && isBooked)) listed.set(paymentKey(received), received)
      else if (isTxidOfAnother(issuer, received.txid)) others.set(paymentKey(received), received)
    }
    if (listed.size > max) return yield* refuseMoreThan(max)
    if (page.cursor === undefined) return { listed, others, unreadable }
    if (pages === maxPages) {
      return yield* new ProcessorUnavailable({ operation: "payments", cause: `a list of more than ${pages} pages` })
    }
    cursor = page.cursor
  }
})

const addReturns = Effect.fnUntraced(function* (
  lists: ChargeLists["Service"],
  issuer: Cnpj,
  payments: ReadonlyArray<Payment>,
) {
  const returns = new Map<string, Array<Return>>()
  for (const one of yield* lists.returnsOf(
    issuer,
    payments.map(({ endToEndId }) => endToEndId),
  )) {
    const known = returns.get(one.endToEndId)
    if (known === undefined) returns.set(one.endToEndId, [one])
    else known.push(one)
  }
  return payments.map((payment): RecordedPayment => ({ payment, returns: returns.get(payment.endToEndId) ?? [] }))
})

const readBooks = Effect.fnUntraced(
  function* ({ lists }: ReconcilerPorts, { issuer, around, max }: Compared) {
    const recorded = new Map<string, RecordedPayment>()
    let cursor: string | undefined
    do {
      const page = yield* lists.payments(issuer, around, { limit: pageSize, ...(cursor !== undefined && { cursor }) })
      for (const one of yield* addReturns(lists, issuer, page.items)) recorded.set(paymentKey(one.payment), one)
      if (recorded.size > max) return yield* refuseMoreThan(max)
      cursor = page.cursor
    } while (cursor !== undefined)
    return recorded
  },
  Effect.catchTag("InvalidFilter", Effect.die),
)

/** Looks up a recorded debit, because banks needn't list debits. Undefined for any other payment. */
const readUnlisted = Effect.fnUntraced(function* (
  { store, processor }: ReconcilerPorts,
  { issuer, chargeId, endToEndId }: Payment,
) {
  const charge = chargeId && (yield* store.find(issuer, chargeId))
  if (charge === undefined || !isCycleCharge(charge)) return undefined
  const key = paymentKey({ endToEndId })
  const { payments, returns } = yield* processor.lookup(charge)
  const shown = payments.find((one) => paymentKey(one) === key)
  return shown && { ...shown, returns: returns.filter((one) => paymentKey(one) === key) }
})

export const compareBooks = Effect.fnUntraced(function* (
  ports: ReconcilerPorts,
  issuer: Cnpj,
  { from, until }: Period,
  max = maxPayments,
) {
  if (!(until - from <= maxPeriodMs)) return yield* new PeriodTooLarge({ operation: "comparison", max: "a day" })
  const compared = { issuer, around: { from: from - marginMs, until: until + marginMs }, max }
  const recorded = yield* readBooks(ports, compared)
  const { listed, others, unreadable } = yield* readBank(ports, compared, recorded)
  const isWithin = ({ paidAt }: Pick<Payment, "paidAt">) => from <= paidAt && paidAt < until
  const rows = []
  for (const [key, bank] of listed) {
    const known = recorded.get(key)
    const { endToEndId } = known?.payment ?? bank
    if (!isWithin(bank) && !(known && isWithin(known.payment))) continue
    // The books can date the payment outside of the period.
    const elsewhere = known === undefined ? yield* ports.lists.payment(issuer, endToEndId) : undefined
    const [found = known] = elsewhere === undefined ? [] : yield* addReturns(ports.lists, issuer, [elsewhere])
    rows.push(comparePayment(endToEndId, found, bank))
  }
  for (const [key, known] of recorded) {
    if (listed.has(key) || !isWithin(known.payment)) continue
    rows.push(comparePayment(known.payment.endToEndId, known, yield* readUnlisted(ports, known.payment)))
  }
  return toComparison(rows, { unreadable, others: [...others.values()].filter(isWithin) })
})
