import type { ChargeOrder, PaymentProcessor, ProcessorView, RegisteredCharge } from "@pixcharge/core"
import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { type Charge, chargeExpiry, parseChargeId, type PendingCharge, chargeTxid } from "@pixcharge/core/charge"
import { type Payer } from "@pixcharge/core/party"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"
import { type Company, parseTaxId } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

type Processor = PaymentProcessor["Service"]

/** A payer with a valid document. */
export const aPayer: Payer = {
  name: "Joana d'Arc Conceição",
  taxId: Result.getOrThrow(parseTaxId("529.982.247-25")),
}

/** A charge to be registered now, under an id of its own; of 19.90 reais and immediate unless told otherwise. */
export const anOrder = (
  company: Company,
  { dueInDays, ...given }: Partial<ChargeOrder> & { readonly dueInDays?: number } = {},
): Effect.Effect<ChargeOrder> =>
  Effect.map(Clock.currentTimeMillis, (requestedAt) => {
    const id = given.id ?? Result.getOrThrow(parseChargeId(globalThis.crypto.randomUUID()))
    const dueDate = dueInDays === undefined ? undefined : addDays(brasiliaDate(requestedAt), dueInDays)
    const { payableUntil } = chargeExpiry({
      createdAt: requestedAt,
      graceDays: company.graceDays,
      holidays: nationalBankHolidays,
      ...(dueDate && { dueDate }),
    })
    const order = { company, id, txid: chargeTxid(id), amountCents: 1990 as Cents, requestedAt, payableUntil }
    return { ...order, ...(dueDate && { dueDate, payer: aPayer }), ...given }
  })

/** The charge that the service would store for a registered order. */
export const pendingChargeOf = (order: ChargeOrder, { createdAt, brCode }: RegisteredCharge): PendingCharge => {
  const { company, id, txid, amountCents, dueDate, payer } = order
  const expiry = chargeExpiry({
    createdAt,
    graceDays: company.graceDays,
    holidays: nationalBankHolidays,
    ...(dueDate && { dueDate }),
  })
  return {
    _tag: "Pending",
    issuer: company.cnpj,
    id,
    txid,
    transactionId: id,
    amountCents,
    brCode,
    createdAt,
    payableUntil: expiry.payableUntil,
    watchUntil: expiry.watchUntil,
    version: 1,
    updatedAt: createdAt,
    returns: [],
    ...(dueDate && { dueDate }),
    ...(payer && { payer }),
    ...(company.fees && { fees: company.fees }),
  }
}

/** What the processor should ask the payer of a charge for. */
export const heldTerms = ({
  amountCents,
  dueDate,
}: Pick<Charge, "amountCents" | "dueDate">): NonNullable<ProcessorView["terms"]> => ({
  amountCents,
  ...(dueDate !== undefined && { dueDate }),
})

/** Registers an order and answers with its charge. */
export const aRegisteredCharge = (processor: Processor, company: Company, given?: Parameters<typeof anOrder>[1]) =>
  Effect.gen(function* () {
    const order = yield* anOrder(company, given)
    return pendingChargeOf(order, yield* processor.register(order))
  })
