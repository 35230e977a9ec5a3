import type { ProcessorView, ReceivedPayment, ShownNotice } from "@pixcharge/core"
import { parseLocalDate } from "@pixcharge/core/calendar"
import type { Charge, Return, ReturnKind } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import type { PspClient } from "../http/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import type { PspPayment, PspReturn } from "../wire/PixBody.ts"

/** A payment in the form of core. */
const shownNotice = (issuer: Cnpj, { endToEndId, txid, amountCents, paidAt, pixKey }: PspPayment): ShownNotice => ({
  issuer,
  endToEndId,
  amountCents,
  paidAt,
  ...(txid !== undefined && { txid }),
  ...(pixKey !== undefined && { pixKey }),
})

const chargeRefund = /^([0-9a-f]{32})R(\d+)$/i
const partialRefund = /^([0-9a-f]{32})P([0-9a-z]{1,2})$/i
const exceptionRefund = /^(.{32})X(\d+)$/i

/**
 * The id of a refund of ours as we wrote it: a charge's txid, `R` and the attempt; the txid, `P` and the attempt at a part,
 * in base 36; or the payment's own id, `X` and the attempt. Undefined for any other. A bank may write it in another case, and leave out the payment's txid.
 */
const ownRefundId = (id: string, { endToEndId }: PspPayment): string | undefined => {
  const [, txid, chargeAttempt] = chargeRefund.exec(id) ?? []
  if (txid !== undefined) return `${txid.toLowerCase()}R${chargeAttempt}`
  const [, ofCharge, partAttempt] = partialRefund.exec(id) ?? []
  if (ofCharge !== undefined && partAttempt !== undefined)
    return `${ofCharge.toLowerCase()}P${partAttempt.toLowerCase()}`
  const [, payment, attempt] = exceptionRefund.exec(id) ?? []
  return payment?.toLowerCase() === endToEndId.toLowerCase() ? `${endToEndId}X${attempt}` : undefined
}

const returnKind = ({ isDispute }: PspReturn, ownId: string | undefined): ReturnKind => {
  if (ownId !== undefined) return "refund"
  return isDispute ? "dispute" : "outside"
}

/** What was returned of a payment: only settled returns are facts. */
export const settledReturns = (issuer: Cnpj, payment: PspPayment): ReadonlyArray<Return> =>
  payment.returns
    .filter(({ status }) => status === "returned")
    .map((row) => {
      const ownId = ownRefundId(row.id, payment)
      return {
        issuer,
        id: ownId ?? row.id,
        endToEndId: payment.endToEndId,
        kind: returnKind(row, ownId),
        amountCents: row.amountCents,
        returnedAt: row.at ?? payment.paidAt,
      }
    })

/** A payment of a list with its settled returns. */
export const receivedPayment = (client: PspClient, issuer: Cnpj, payment: PspPayment): ReceivedPayment => ({
  ...shownNotice(issuer, payment),
  returns: settledReturns(issuer, payment),
  ...(client.isForeignTxid(payment.txid) && { isForeign: true }),
})

/** The terms that the bank holds; none if it shows no due date that can be read where the charge has one. */
const heldTerms = (
  asked: Charge,
  { amountCents, dueDate, payableForSeconds }: PspCharge,
): Pick<ProcessorView, "terms"> => {
  if (dueDate === undefined) {
    if (asked.dueDate !== undefined) return {}
    return { terms: { amountCents, ...(payableForSeconds !== undefined && { payableForSeconds }) } }
  }
  return Result.match(parseLocalDate(dueDate), {
    onSuccess: (day) => ({ terms: { amountCents, dueDate: day } }),
    onFailure: () => ({}),
  })
}

/** The bank's charge in the form of core; its payments name the charge even if the bank leaves that out. */
export const processorView = (asked: Charge, known: PspCharge): ProcessorView => {
  const { issuer, txid } = asked
  return {
    status: known.status,
    ...heldTerms(asked, known),
    payments: known.payments.map((payment) => ({ ...shownNotice(issuer, payment), txid })),
    returns: known.payments.flatMap((payment) => settledReturns(issuer, payment)),
  }
}
