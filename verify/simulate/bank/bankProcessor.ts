import {
  type CancelOutcome,
  ChargeConflict,
  type ChargeOrder,
  PaymentProcessor,
  ProcessorRejected,
  ProcessorUnavailable,
  type ProcessorView,
  type ReceivedPayment,
  type RefundOrder,
} from "@pixcharge/core"
import type { ChargePayer, RefundOutcome, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { BankOrder, LedgerCharge, LedgerPayment, LedgerReturn } from "@pixcharge/simulated-bank"
import { writeFees } from "../judge/fees.ts"
import type { BankClient } from "./BankClient.ts"
import { limitTime } from "./callBank.ts"

type Processor = PaymentProcessor["Service"]

const writePayer = ({ name: nome, taxId: cpf, email, address }: ChargePayer) => {
  const { street: logradouro, city: cidade, state: uf, postalCode: cep } = address ?? {}
  return { nome, cpf, email, logradouro, cidade, uf, cep }
}

/** The body of a due-date charge has the order's own conditions. */
const bankOrder = ({ company, txid, amountCents, dueDate, payableUntil, payer }: ChargeOrder): BankOrder => ({
  issuer: company.cnpj,
  txid,
  terms: {
    amountCents,
    payableUntil,
    body: {
      calendario: dueDate === undefined ? {} : { validadeAposVencimento: company.graceDays },
      valor: { original: "", ...(dueDate && writeFees(company.fees ?? {}, dueDate)) },
      chave: company.pixKey,
      ...(payer && { devedor: writePayer(payer) }),
    },
    ...(dueDate && { dueDate }),
  },
})

const hasTerms = (order: ChargeOrder, { terms }: LedgerCharge): boolean => {
  const { amountCents, dueDate, company, earlierFees = [] } = order
  const conditions = ({ body }: typeof terms) =>
    JSON.stringify([body?.valor, body?.calendario["validadeAposVencimento"]])
  const isOfOrder = [order, ...earlierFees.map((fees) => ({ ...order, company: { ...company, fees } }))].some(
    (one) => conditions(bankOrder(one).terms) === conditions(terms),
  )
  return terms.amountCents === amountCents && terms.dueDate === dueDate && isOfOrder
}

const shownKey = ({ terms: { body } }: LedgerCharge, showsKeys: boolean) =>
  showsKeys && body ? { pixKey: body.chave } : {}

const settledReturns = ({ issuer, endToEndId, returns }: LedgerPayment): ReadonlyArray<Return> =>
  returns.flatMap(({ id, kind, amountCents, status, returnedAt }) =>
    status === "returned" && returnedAt !== undefined
      ? [{ issuer, endToEndId, id, kind, amountCents, returnedAt }]
      : [],
  )

export const receivedPayment = (payment: LedgerPayment): ReceivedPayment => {
  const { issuer, endToEndId, txid, pixKey, amountCents, paidAt } = payment
  return {
    issuer,
    endToEndId,
    amountCents,
    paidAt,
    returns: settledReturns(payment),
    ...(txid !== undefined && { txid }),
    ...(pixKey !== "" && { pixKey }),
  }
}

const processorView = (
  charge: LedgerCharge,
  payments: ReadonlyArray<LedgerPayment>,
  showsKeys: boolean,
): ProcessorView => ({
  ...shownKey(charge, showsKeys),
  status: charge.status === "making" ? "unknown" : charge.status,
  terms: { ...charge.terms, revision: charge.revision },
  payments: payments.map(receivedPayment).map(({ returns: _, ...notice }) => notice),
  returns: payments.flatMap(settledReturns),
})

const refundOutcome = ({ status, returnedAt = 0, amountCents }: LedgerReturn): RefundOutcome => {
  if (status === "returned") return { _tag: "Returned", returnedAt, amountCents }
  return status === "rejected" ? { _tag: "Rejected", reason: "the payer's account is closed" } : { _tag: "Processing" }
}

const reject = (operation: string, reason: string) =>
  new ProcessorRejected({ operation, reason: Redacted.make(reason) })

/** The `PaymentProcessor` port over the simulated bank. */
const makeProcessor = (bank: BankClient): Processor => {
  const { showsKeys, ways } = bank
  const find = (issuer: Cnpj, txid: string) => limitTime("lookup", bank.getCharge(issuer, txid))

  const adopt = (order: ChargeOrder, known: LedgerCharge) =>
    hasTerms(order, known)
      ? Effect.succeed(known)
      : Effect.fail(new ChargeConflict({ issuer: order.company.cnpj, id: order.id }))

  const put = Effect.fnUntraced(function* (order: ChargeOrder) {
    const answer = yield* limitTime("register", bank.putCharge(bankOrder(order)))
    if (answer._tag === "Charge") return answer.charge
    const known = yield* find(order.company.cnpj, order.txid)
    if (known !== undefined) return yield* adopt(order, known)
    if (answer.isConflict) return yield* new ProcessorUnavailable({ operation: "register", cause: answer.reason })
    return yield* reject("register", answer.reason)
  })

  const lookup: Processor["lookup"] = Effect.fnUntraced(function* ({ issuer, txid }, revision) {
    const found = yield* limitTime("lookup", bank.getChargeAndPayments(issuer, txid))
    const unknown: ProcessorView = { status: "unknown", payments: [], returns: [] }
    if (found === undefined) return unknown
    const terms = revision === undefined ? undefined : found.charge.termsByRevision[revision]
    const charge = terms && revision !== undefined ? { ...found.charge, terms, revision } : found.charge
    return processorView(charge, found.payments, showsKeys)
  })

  const lookupRefund = Effect.fnUntraced(function* ({ issuer, endToEndId, refundId }: RefundOrder) {
    const known = yield* limitTime("lookupRefund", bank.getReturn(issuer, endToEndId, refundId))
    return known && refundOutcome(known)
  })

  return {
    locality: "remote",
    lookup,
    lookupRefund,
    register: Effect.fnUntraced(function* (order) {
      const known = ways.putOnExisting === "alters" ? yield* find(order.company.cnpj, order.txid) : undefined
      const charge = known === undefined ? yield* put(order) : yield* adopt(order, known)
      const { status, location: brCode, createdAt } = charge
      if (status === "removed") return yield* reject("register", "the charge was removed")
      return { txid: order.txid, brCode, createdAt, ...shownKey(charge, showsKeys) }
    }),
    changes: () => Effect.sync(() => (ways.patchOfTerms === "alters" ? "offered" : "missing")),
    change: Effect.fnUntraced(function* (order) {
      const { company, txid, dueDate, payableUntil, payableForSeconds = 600, revision: seen = Infinity } = order
      const before = yield* find(company.cnpj, txid)
      if (before === undefined) return yield* reject("change", "there is no such charge")
      const { terms, ...place } = bankOrder(order)
      const until = dueDate === undefined ? before.createdAt + payableForSeconds * 1_000 : payableUntil
      const changedOrder = { ...place, terms: { ...terms, payableUntil: until } }
      const altered = yield* limitTime("change", bank.alterCharge(changedOrder))
      const known = altered?._tag === "Charge" ? altered.charge : yield* find(company.cnpj, txid)
      const isOfEarlierCall =
        known !== undefined && (known.status !== "active" || known.revision > seen) && hasTerms(order, known)
      if (known !== undefined && (altered?._tag === "Charge" || isOfEarlierCall))
        return { brCode: known.location, revision: known.revision }
      return yield* reject("change", altered?._tag === "Refused" ? altered.reason : "the charge is of the other kind")
    }),
    cancel: Effect.fnUntraced(function* (charge) {
      const removed = yield* limitTime("cancel", bank.removeCharge(charge.issuer, charge.txid))
      if (removed === undefined || removed._tag === "Charge") return { _tag: "Cancelled" } satisfies CancelOutcome
      const view = yield* lookup(charge)
      if (view.status === "completed") return { _tag: "Paid", view } satisfies CancelOutcome
      if (view.status === "removed") return { _tag: "Cancelled" } satisfies CancelOutcome
      return yield* reject("cancel", removed.reason)
    }),
    refund: Effect.fnUntraced(function* (order) {
      const { issuer, endToEndId, amountCents, refundId: id } = order
      const answer = yield* limitTime("refund", bank.putReturn({ issuer, endToEndId, amountCents, id }))
      if (answer === undefined) return { _tag: "Rejected", reason: "no such payment" } satisfies RefundOutcome
      if (answer._tag === "Return") return refundOutcome(answer.returned)
      const known = yield* lookupRefund(order)
      if (known !== undefined) return known
      if (answer.isConflict) return { _tag: "Processing" } satisfies RefundOutcome
      return { _tag: "Rejected", reason: answer.reason } satisfies RefundOutcome
    }),
    payments: (issuer, search, cursor) =>
      Effect.map(limitTime("payments", bank.listPayments(issuer, search, cursor)), (page) => ({
        ...page,
        items: page.items.map(receivedPayment),
      })),
  }
}

export const bankProcessorLayer = (bank: BankClient): Layer.Layer<PaymentProcessor> =>
  Layer.sync(PaymentProcessor, () => makeProcessor(bank))
