import {
  type CancelOutcome,
  PaymentProcessor,
  ProcessorRejected,
  type ProcessorView,
  type ReceivedPayment,
  type RefundOrder,
} from "@pixcharge/core"
import type { Charge, RefundOutcome, Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Pix } from "../judge/recurrences/RecurrenceEvidence.ts"
import type { RecurrenceCall } from "../bank/callBank.ts"
import type { RecurrenceBank } from "./RecurrenceBank.ts"

type Processor = PaymentProcessor["Service"]

const received = ({ endToEndId, issuer, txid, amountCents, paidAt, returns }: Pix): ReceivedPayment => ({
  issuer: issuer as Cnpj,
  endToEndId,
  txid,
  amountCents: amountCents as Cents,
  paidAt,
  returns: returns.map(({ amountCents: cents, ...one }): Return => ({
    ...one,
    issuer: issuer as Cnpj,
    endToEndId,
    kind: "refund",
    amountCents: cents as Cents,
  })),
})

export const shownPayments = (payment: Pix | undefined): Pick<ProcessorView, "payments" | "returns"> => {
  if (payment === undefined) return { payments: [], returns: [] }
  const { returns, ...shown } = received(payment)
  return { payments: [shown], returns }
}

const viewReturn = (payment: Pix | undefined, id: string): RefundOutcome | undefined => {
  const found = payment?.returns.find((one) => one.id === id)
  return found && { _tag: "Returned", returnedAt: found.returnedAt, amountCents: found.amountCents as Cents }
}

/** Charges with codes, and returns of all money, at the same bank. Its list of payments shows debits or omits them. */
export const codedProcessorLayer = (
  bank: RecurrenceBank,
  call: RecurrenceCall,
  listsDebits: boolean,
): Layer.Layer<PaymentProcessor> => {
  const view = (txid: string): ProcessorView => {
    const payment = bank.paymentFor(txid)
    const coded = bank.coded.get(txid)
    const unpaid = coded?.isRemoved === true ? "removed" : "active"
    const status = coded === undefined ? "unknown" : payment === undefined ? unpaid : "completed"
    return { status, ...shownPayments(payment) }
  }

  const cancel = ({ txid }: Charge): CancelOutcome => {
    const coded = bank.coded.get(txid)
    const seen = view(txid)
    if (seen.status === "completed") return { _tag: "Paid", view: seen }
    if (coded !== undefined) coded.isRemoved = true
    return { _tag: "Cancelled" }
  }

  const refund = ({ endToEndId, refundId, amountCents }: RefundOrder): RefundOutcome => {
    const payment = bank.putReturn(endToEndId, refundId, amountCents)
    return viewReturn(payment, refundId) ?? { _tag: "Rejected", reason: "no such payment, or nothing left of it" }
  }

  const list = (issuer: Cnpj, from: number, until: number): ReadonlyArray<ReceivedPayment> =>
    [...bank.payments.values()]
      .filter((one) => one.issuer === issuer && one.paidAt >= from && one.paidAt < until)
      .filter(({ txid }) => listsDebits || bank.coded.has(txid))
      .map(received)

  const processor: Processor = {
    locality: "remote",
    register: ({ company, txid, amountCents, dueDate }) =>
      Effect.map(
        call(`make ${txid}`, () =>
          bank.putCoded({ txid, issuer: company.cnpj, amountCents, ...(dueDate && { dueDate }) }),
        ),
        ({ madeAt }) => ({ txid, brCode: `code of ${txid}`, createdAt: madeAt }),
      ),
    changes: () => Effect.succeed("offered"),
    change: ({ txid, amountCents, dueDate }) =>
      Effect.flatMap(
        call(`change ${txid}`, () => bank.changeCoded({ txid, amountCents, ...(dueDate && { dueDate }) })),
        (isChanged) =>
          isChanged
            ? Effect.succeed({})
            : Effect.fail(new ProcessorRejected({ operation: "change", reason: Redacted.make("it isn't open") })),
      ),
    lookup: ({ txid }) => call(`show ${txid}`, () => view(txid)),
    cancel: (charge) => call(`cancel ${charge.txid}`, () => cancel(charge)),
    refund: (order) => call(`return ${order.endToEndId}`, () => refund(order)),
    lookupRefund: ({ endToEndId, refundId }) =>
      call(`show the return of ${endToEndId}`, () => viewReturn(bank.payments.get(endToEndId), refundId)),
    payments: (issuer, { from, until }) => call("list payments", () => ({ items: list(issuer, from, until) })),
  }
  return Layer.succeed(PaymentProcessor, processor)
}
