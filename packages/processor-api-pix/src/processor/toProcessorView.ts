import type { ProcessorView, ReceivedPayment, ShownNotice } from "@pixcharge/core"
import { parseLocalDate } from "@pixcharge/core/calendar"
import { type Charge, isTxidOfAnother, ownRefundId, type Return, type ReturnKind } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import type { PspPayment, PspReturn } from "../wire/PixBody.ts"

const toNotice = (issuer: Cnpj, { endToEndId, txid, amountCents, paidAt, pixKey }: PspPayment): ShownNotice => ({
  issuer,
  endToEndId,
  amountCents,
  paidAt,
  ...(txid !== undefined && { txid }),
  ...(pixKey !== undefined && { pixKey }),
})

const findReturnKind = ({ isDispute }: PspReturn, ownId: string | undefined): ReturnKind => {
  if (ownId !== undefined) return "refund"
  return isDispute ? "dispute" : "outside"
}

const listSettledReturns = (issuer: Cnpj, payment: PspPayment): ReadonlyArray<Return> =>
  payment.returns
    .filter(({ status }) => status === "returned")
    .map((row) => {
      const ownId = ownRefundId(row.id, payment)
      return {
        issuer,
        id: ownId ?? row.id,
        endToEndId: payment.endToEndId,
        kind: findReturnKind(row, ownId),
        amountCents: row.amountCents,
        returnedAt: row.at ?? payment.paidAt,
      }
    })

const listRejections = (payment: PspPayment): Pick<ReceivedPayment, "rejections"> => {
  const rejections = payment.returns.flatMap(({ id, status, reason = "not carried out" }) => {
    const refundId = status === "rejected" ? ownRefundId(id, payment) : undefined
    return refundId === undefined ? [] : [{ refundId, reason }]
  })
  return rejections.length === 0 ? {} : { rejections }
}

export const toReceivedPayment = (client: PspClient, issuer: Cnpj, payment: PspPayment): ReceivedPayment => ({
  ...toNotice(issuer, payment),
  returns: listSettledReturns(issuer, payment),
  ...listRejections(payment),
  ...(client.isForeignTxid(payment.txid) && { isForeign: true }),
})

type ShownCharge = Pick<
  PspCharge,
  "status" | "revision" | "amountCents" | "dueDate" | "payableForSeconds" | "payments" | "pixKey"
>

/** Leaves out the terms if the charge has a due date and the bank shows no readable due date. */
const readTerms = (
  charge: Charge,
  { amountCents, dueDate, payableForSeconds, revision }: ShownCharge,
): Pick<ProcessorView, "terms"> => {
  const common = { amountCents, ...(revision !== undefined && { revision }) }
  if (dueDate === undefined) {
    if (charge.dueDate !== undefined) return {}
    return { terms: { ...common, ...(payableForSeconds !== undefined && { payableForSeconds }) } }
  }
  return Result.match(parseLocalDate(dueDate), {
    onSuccess: (day) => ({ terms: { ...common, dueDate: day } }),
    onFailure: () => ({}),
  })
}

/** Payments get the charge's txid even if the bank omits it. Payments of another company's charge are excluded. */
export const toProcessorView = (charge: Charge, known: ShownCharge): ProcessorView => {
  const { issuer, txid } = charge
  const payments = known.payments.filter((payment) => !isTxidOfAnother(issuer, payment.txid))
  return {
    status: known.status,
    ...(known.pixKey !== undefined && { pixKey: known.pixKey }),
    ...readTerms(charge, known),
    payments: payments.map((payment) => ({ ...toNotice(issuer, payment), txid })),
    returns: payments.flatMap((payment) => listSettledReturns(issuer, payment)),
  }
}
