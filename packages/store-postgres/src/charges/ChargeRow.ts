import {
  type AdditionalInfo,
  type Charge,
  type ChargeId,
  type ChargeTerms,
  chargeTxid,
  type CycleCharge,
  type ExceptionState,
  type PartialRefund,
  type Payment,
  type PaymentStanding,
  type PendingCharge,
  type Refund,
  type Return,
  type ReturnKind,
} from "@pixcharge/core/charges"
import type { Cents, Fees } from "@pixcharge/core/money"
import type { KeptDays, LocalDate } from "@pixcharge/core/calendar"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import type { ChargeCycle, Debit } from "@pixcharge/core/recurrence"
import type { Row } from "../database/Database.ts"
import { isTrue, millisIn, millisOr, numberIn, toSeconds, secondsOrNull, textIn, textOr } from "../database/values.ts"

/** A charge's place in the store, as one text. */
export const chargeKey = ({ issuer, id }: { readonly issuer: string; readonly id: string }): string => `${issuer} ${id}`

/** A row's charge. */
export const chargeKeyFromRow = (row: Row): string => `${textIn(row, "issuer")} ${textIn(row, "id")}`

/** What `insertCharges` stores of a charge. The txid is not kept because it follows from company and id. */
export const newChargeRow = (charge: PendingCharge) => ({
  issuer: charge.issuer,
  id: charge.id,
  transaction_id: charge.transactionId,
  amount_cents: charge.amountCents,
  due_date: charge.dueDate,
  payer_name: charge.payer?.name,
  payer_tax_id: charge.payer?.taxId,
  message_to_payer: charge.messageToPayer,
  additional_info: charge.additionalInfo,
  fees: charge.fees,
  closed_days: charge.closedDays,
  br_code: charge.brCode,
  created_at: toSeconds(charge.createdAt),
  payable_until: toSeconds(charge.payableUntil),
  watch_until: toSeconds(charge.watchUntil),
  version: charge.version,
  updated_at: toSeconds(charge.updatedAt),
  check_at: secondsOrNull(charge.checkAt),
  look_up_at: secondsOrNull(charge.lookUpAt),
})

/** What a recurrence's commit stores of a cycle's charge. */
export const cycleChargeRow = (charge: CycleCharge<PendingCharge>) => {
  const { recurrenceId, cycle, generation, ...terms } = charge.cycle
  return {
    ...newChargeRow(charge),
    payer_erased_at: secondsOrNull(charge.payerErasedAt),
    recurrence_id: recurrenceId,
    cycle,
    generation,
    cycle_terms: terms,
    debit: charge.debit,
  }
}

const states = {
  Pending: "pending",
  Paid: "paid",
  Refunding: "refunding",
  Refunded: "refunded",
  Cancelled: "cancelled",
} as const

/** What is stored of a refund, under way or failed. */
export const refundColumns = (refund: Refund | undefined) => ({
  refund_id: refund?.id,
  refund_attempt: refund?.attempt,
  refund_requested_at: secondsOrNull(refund?.requestedAt),
  refund_unanswered: refund?.unanswered,
  refund_reason: refund?.reason,
})

/** What a move writes: the charge's state, never its terms. */
export const chargeStateRow = (charge: Charge) => ({
  state: states[charge._tag],
  version: charge.version,
  updated_at: toSeconds(charge.updatedAt),
  check_at: secondsOrNull(charge.checkAt),
  settled_by: "payment" in charge ? charge.payment.endToEndId : null,
  ...refundColumns("refund" in charge ? charge.refund : charge._tag === "Paid" ? charge.failedRefund : undefined),
  refund_rejection: charge._tag === "Paid" ? charge.failedRefund?.rejection : null,
  refunded_at: charge._tag === "Refunded" ? secondsOrNull(charge.refundedAt) : null,
  cancelled_at: charge._tag === "Cancelled" ? secondsOrNull(charge.cancelledAt) : null,
  debit: charge.debit,
})

/** What is stored of a payment. */
export const paymentRow = (payment: Payment, chargeId: ChargeId | undefined) => ({
  issuer: payment.issuer,
  end_to_end_id: payment.endToEndId,
  txid: payment.txid,
  charge_id: chargeId,
  amount_cents: payment.amountCents,
  paid_at: toSeconds(payment.paidAt),
  recorded_at: toSeconds(payment.recordedAt),
  late: payment.late,
  other_amount: payment.otherAmount,
})

/** Drops repeated returns: processors write ids in either case. */
export const distinctReturns = (returns: ReadonlyArray<Return>): ReadonlyArray<Return> => [
  ...new Map(returns.map((returned) => [`${returned.endToEndId} ${returned.id.toLowerCase()}`, returned])).values(),
]

export const returnRow = (returned: Return) => ({
  issuer: returned.issuer,
  end_to_end_id: returned.endToEndId,
  id: returned.id,
  kind: returned.kind,
  amount_cents: returned.amountCents,
  returned_at: toSeconds(returned.returnedAt),
})

/** The payment whose columns have this prefix. */
export const paymentFromRow = (row: Row, prefix: string): Payment => {
  const txid = textOr(row[`${prefix}txid`])
  const chargeId = textOr(row[`${prefix}charge_id`])
  return {
    issuer: textIn(row, `${prefix}issuer`) as Cnpj,
    endToEndId: textIn(row, `${prefix}end_to_end_id`),
    ...(txid !== undefined && { txid }),
    ...(chargeId !== undefined && { chargeId: chargeId as ChargeId }),
    amountCents: numberIn(row, `${prefix}amount_cents`) as Cents,
    paidAt: millisIn(row, `${prefix}paid_at`),
    recordedAt: millisIn(row, `${prefix}recorded_at`),
    late: isTrue(row[`${prefix}late`]),
    otherAmount: isTrue(row[`${prefix}other_amount`]),
  }
}

/** The return of a row of `returns`. */
export const returnFromRow = (row: Row): Return => ({
  issuer: textIn(row, "issuer") as Cnpj,
  id: textIn(row, "id"),
  endToEndId: textIn(row, "end_to_end_id"),
  kind: textIn(row, "kind") as ReturnKind,
  amountCents: numberIn(row, "amount_cents") as Cents,
  returnedAt: millisIn(row, "returned_at"),
})

/** The returns that `paymentReturns` has aggregated: the cells of each row, without its payment's key. */
export const returnsFromJson = (json: unknown, issuer: Cnpj, endToEndId: string): ReadonlyArray<Return> => {
  const text = textOr(json)
  if (text === undefined) return []
  return (JSON.parse(text) as ReadonlyArray<ReadonlyArray<unknown>>).map(([id, kind, amountCents, returnedAt]) =>
    returnFromRow({ issuer, end_to_end_id: endToEndId, id, kind, amount_cents: amountCents, returned_at: returnedAt }),
  )
}

/** The tag of the state that a column holds; undefined for null. */
const tagFrom = <Tag extends string>(state: unknown): Tag | undefined => {
  const text = textOr(state)
  return text === undefined ? undefined : ((text.charAt(0).toUpperCase() + text.slice(1)) as Tag)
}

/** The standing of a row of `findStandings`. */
export const standingFromRow = (row: Row): PaymentStanding => {
  const issuer = textIn(row, "issuer") as Cnpj
  const endToEndId = textIn(row, "end_to_end_id")
  const chargeId = textOr(row["charge_id"])
  const charge = tagFrom<Charge["_tag"]>(row["state"])
  const exception = tagFrom<ExceptionState["_tag"]>(row["exception_state"])
  return {
    issuer,
    endToEndId,
    amountCents: numberIn(row, "amount_cents") as Cents,
    ...(chargeId !== undefined && { chargeId: chargeId as ChargeId }),
    ...(charge !== undefined && { charge }),
    ...(exception !== undefined && { exception }),
    returns: returnsFromJson(row["returns"], issuer, endToEndId),
  }
}

/** What is stored of a partial refund. */
export const partialRefundRow = ({ key, amountCents, requestedAt, refund, rejection }: PartialRefund) => ({
  key,
  amount_cents: amountCents,
  requested_at: toSeconds(requestedAt),
  ...refundColumns(refund),
  refund_rejection: rejection,
})

/** The partial refunds that `chargePartialRefunds` has aggregated. */
const partialRefundsFromJson = (json: unknown): ReadonlyArray<PartialRefund> | undefined => {
  const text = textOr(json)
  if (text === undefined) return undefined
  return (JSON.parse(text) as ReadonlyArray<Row>).flatMap((row) => {
    const refund = refundFromRow(row)
    const rejection = textOr(row["refund_rejection"])
    if (refund === undefined) return []
    return {
      key: textIn(row, "key"),
      amountCents: numberIn(row, "amount_cents") as Cents,
      requestedAt: millisIn(row, "requested_at"),
      refund,
      ...(rejection !== undefined && { rejection }),
    }
  })
}

const termsFromRow = (row: Row): ChargeTerms => {
  const issuer = textIn(row, "issuer") as Cnpj
  const id = textIn(row, "id") as ChargeId
  const dueDate = textOr(row["due_date"])
  const payerName = textOr(row["payer_name"])
  const payerErasedAt = millisOr(row["payer_erased_at"])
  const message = textOr(row["message_to_payer"])
  const info = textOr(row["additional_info"])
  const fees = textOr(row["fees"])
  const closedDays = textOr(row["closed_days"])
  const brCode = textOr(row["br_code"])
  return {
    issuer,
    id,
    txid: chargeTxid(issuer, id),
    transactionId: textIn(row, "transaction_id"),
    amountCents: numberIn(row, "amount_cents") as Cents,
    ...(dueDate !== undefined && { dueDate: dueDate as LocalDate }),
    ...(payerName !== undefined && { payer: { name: payerName, taxId: textIn(row, "payer_tax_id") as TaxId } }),
    ...(payerErasedAt !== undefined && { payerErasedAt }),
    ...(message !== undefined && { messageToPayer: message }),
    ...(info !== undefined && { additionalInfo: JSON.parse(info) as ReadonlyArray<AdditionalInfo> }),
    ...(fees !== undefined && { fees: JSON.parse(fees) as Fees }),
    ...(closedDays !== undefined && { closedDays: JSON.parse(closedDays) as KeptDays }),
    ...(brCode !== undefined && { brCode }),
    createdAt: millisIn(row, "created_at"),
    payableUntil: millisIn(row, "payable_until"),
    watchUntil: millisIn(row, "watch_until"),
  }
}

/** The refund of a charge's or exception's row, under way or failed; undefined when there is none. */
export const refundFromRow = (row: Row): Refund | undefined => {
  const id = textOr(row["refund_id"])
  if (id === undefined) return undefined
  const unanswered = textOr(row["refund_unanswered"])
  const reason = textOr(row["refund_reason"])
  return {
    id,
    attempt: numberIn(row, "refund_attempt"),
    requestedAt: millisIn(row, "refund_requested_at"),
    ...(unanswered !== undefined && { unanswered: JSON.parse(unanswered) as ReadonlyArray<number> }),
    ...(reason !== undefined && { reason }),
  }
}

interface CycleFacts extends Pick<ChargeCycle, "recurrenceId" | "cycle" | "generation"> {
  readonly terms: Omit<ChargeCycle, "recurrenceId" | "cycle" | "generation">
  readonly debit: Debit
}

/** What makes a charge that of a cycle; nothing for any other. */
const cycleFromRow = (row: Row): Pick<Charge, "cycle" | "debit"> => {
  const text = textOr(row["cycle_facts"])
  if (text === undefined) return {}
  const { terms, debit, ...cycle } = JSON.parse(text) as CycleFacts
  return { cycle: { ...cycle, ...terms }, debit }
}

/** The charge of a row of `chargeColumns`. */
export const chargeFromRow = (row: Row): Charge => {
  const terms = termsFromRow(row)
  const checkAt = millisOr(row["check_at"])
  const kept = {
    version: numberIn(row, "version"),
    updatedAt: millisIn(row, "updated_at"),
    ...(checkAt !== undefined && { checkAt }),
    ...terms,
    ...cycleFromRow(row),
  }
  switch (row["state"]) {
    case "pending": {
      const lookUpAt = millisOr(row["look_up_at"])
      return { _tag: "Pending", returns: [], ...(lookUpAt !== undefined && { lookUpAt }), ...kept }
    }
    case "cancelled":
      return { _tag: "Cancelled", returns: [], cancelledAt: millisIn(row, "cancelled_at"), ...kept }
  }
  const payment = paymentFromRow(row, "p_")
  const partialRefunds = partialRefundsFromJson(row["partial_refunds"])
  const settled = {
    payment,
    returns: returnsFromJson(row["returns"], terms.issuer, payment.endToEndId),
    ...(partialRefunds && { partialRefunds }),
    ...kept,
  }
  const refund = refundFromRow(row)
  if (row["state"] === "refunded") {
    return { _tag: "Refunded", refundedAt: millisIn(row, "refunded_at"), ...(refund && { refund }), ...settled }
  }
  if (refund === undefined) return { _tag: "Paid", ...settled }
  if (row["state"] === "refunding") return { _tag: "Refunding", refund, ...settled }
  return { _tag: "Paid", failedRefund: { rejection: textIn(row, "refund_rejection"), ...refund }, ...settled }
}
