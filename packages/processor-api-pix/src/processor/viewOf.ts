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

/** Ids that this library gives to refunds: 32 characters of a txid or an endToEndId, and the attempt. */
const ours = /^[0-9a-zA-Z]{32}R\d{1,2}$/

const kindOf = ({ id, isDispute }: PspReturn): ReturnKind => {
  if (isDispute) return "dispute"
  return ours.test(id) ? "refund" : "outside"
}

/** The money that went back for a payment: only what is settled is a fact. */
export const returnsOf = (issuer: Cnpj, payment: PspPayment): ReadonlyArray<Return> =>
  payment.returns
    .filter(({ status }) => status === "returned")
    .map((row) => ({
      issuer,
      id: row.id,
      endToEndId: payment.endToEndId,
      kind: kindOf(row),
      amountCents: row.amountCents,
      returnedAt: row.at ?? payment.paidAt,
    }))

/** What the bank knows of a charge; its payments name the charge, also where the bank leaves that out. */
export const viewOf = (issuer: Cnpj, txid: string, { status, payments }: PspCharge): ProcessorView => ({
  status,
  payments: payments.map((payment) => ({ ...noticeOf(issuer, payment), txid })),
  returns: payments.flatMap((payment) => returnsOf(issuer, payment)),
})
