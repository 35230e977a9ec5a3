import type { ProcessorView } from "@pixcharge/core"
import type { PaymentNotice, Return, ReturnKind } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import type { PspCharge } from "../wire/Cob.ts"
import type { PspPayment, PspReturn } from "../wire/PixBody.ts"

/** A payment as our own code knows it. */
export const noticeOf = (issuer: Cnpj, { endToEndId, txid, amountCents, paidAt }: PspPayment): PaymentNotice => ({
  issuer,
  endToEndId,
  amountCents,
  paidAt,
  ...(txid !== undefined && { txid }),
})

/** The ids of our own refunds begin with the charge's txid, or with the id of a payment that settled no charge. */
const isOurs = ({ id }: PspReturn, { txid, endToEndId }: PspPayment): boolean =>
  id.startsWith(endToEndId) || (txid !== undefined && id.startsWith(txid))

const kindOf = (row: PspReturn, payment: PspPayment): ReturnKind => {
  if (row.isDispute) return "dispute"
  return isOurs(row, payment) ? "refund" : "outside"
}

/** The money that went back for a payment: only what is settled is a fact. */
export const returnsOf = (issuer: Cnpj, payment: PspPayment): ReadonlyArray<Return> =>
  payment.returns
    .filter(({ status }) => status === "returned")
    .map((row) => ({
      issuer,
      id: row.id,
      endToEndId: payment.endToEndId,
      kind: kindOf(row, payment),
      amountCents: row.amountCents,
      returnedAt: row.at ?? payment.paidAt,
    }))

/** What the bank knows of a charge; its payments name the charge, also where the bank leaves that out. */
export const viewOf = (issuer: Cnpj, txid: string, { status, payments }: PspCharge): ProcessorView => ({
  status,
  payments: payments.map((payment) => ({ ...noticeOf(issuer, payment), txid })),
  returns: payments.flatMap((payment) => returnsOf(issuer, { ...payment, txid })),
})
