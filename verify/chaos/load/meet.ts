import { chargeTxid } from "@pixcharge/core/plain"
import { randomUUID } from "node:crypto"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Operation, Sale } from "../judge/Evidence.ts"
import type { Call, Calls } from "./Calls.ts"

const shares = { cancelled: 0.15, paidTwice: 0.3, leftPaid: 0.25, partly: 0.6 }

const find = ({ issuer, id }: Sale): Call => ({ operation: "find", args: [issuer, id] })
const refund = ({ issuer, id }: Sale): Call => ({ operation: "refund", args: [issuer, id] })

const confirm = ({ issuer, endToEndId, txid, amountCents, paidAt }: LedgerPayment): Call => ({
  operation: "confirmPayment",
  args: [{ issuer, txid, endToEndId, amountCents, paidAt }],
  key: endToEndId,
})

const part = ({ issuer, id, parts }: Sale, key: string, amountCents: number): Call => {
  parts.set(key, amountCents)
  return { operation: "refundPart", args: [issuer, id, { key, amountCents }], key }
}

/** Refunds in parts. Sometimes they exceed the payment or compete with a whole refund. */
const refundParts = (sale: Sale, random: SeededRandom): ReadonlyArray<Call> => {
  const cents = () => random.between(1, Math.ceil(sale.amountCents / 2))
  const first = part(sale, "first", cents())
  const others = random.chance(0.5) ? [part(sale, "second", cents()), part(sale, "third", cents())] : [refund(sale)]
  return [first, ...others, first]
}

const dealWithException = async (made: Calls, sale: Sale, payments: ReadonlyArray<string>, random: SeededRandom) => {
  const settledBy = sale.answers.findLast(({ answer }) => answer?.settledBy !== undefined)?.answer?.settledBy
  const exception = payments.find((endToEndId) => endToEndId !== settledBy) as string
  const another = random.pick<Operation>(["exceptions.refund", "exceptions.resolve"])
  const calls = (["exceptions.refund", another] as const).map((operation): Call => {
    const note = operation === "exceptions.resolve" ? ["it stays"] : []
    return { operation, args: [sale.issuer, exception, ...note], key: exception }
  })
  await made.atOnce(sale, random, calls)
}

export const meet = async (made: Calls, issuer: string, random: SeededRandom): Promise<void> => {
  const sale: Sale = {
    issuer,
    id: randomUUID(),
    amountCents: random.between(100, 100_000),
    parts: new Map(),
    answers: [],
  }
  made.sales.push(sale)
  const atOnce = (...calls: ReadonlyArray<Call>) => made.atOnce(sale, random, calls)
  const issue: Call = { operation: "issue", args: [issuer, { id: sale.id, amountCents: sale.amountCents }] }
  await atOnce(issue, issue)
  const txid = chargeTxid(issuer, sale.id)
  if (random.chance(shares.cancelled)) {
    const cancel: Call = { operation: "cancel", args: [issuer, sale.id] }
    return void (await atOnce(cancel, find(sale), cancel))
  }
  // The payment must not be older than the company's first charge, because the books can lack such payments.
  const pay = () => made.bank.pay(issuer, txid, { paidAt: Date.now() })
  const payments = Array.from({ length: random.chance(shares.paidTwice) ? 2 : 1 }, pay)
  await atOnce(...payments.flatMap((payment) => [confirm(payment), confirm(payment)]), find(sale))
  const paidBy = payments.map(({ endToEndId }) => endToEndId)
  if (paidBy.length > 1) await dealWithException(made, sale, paidBy, random)
  if (random.chance(shares.leftPaid)) return void (await atOnce(find(sale)))
  const calls = random.chance(shares.partly) ? refundParts(sale, random) : [refund(sale), refund(sale)]
  await atOnce(...calls, find(sale))
}
