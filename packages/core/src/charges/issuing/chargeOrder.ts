import { type ChargeRequest, type ChargeTerms, chargeTxid } from "../index.ts"
import type { Company } from "../../party/Company.ts"
import type { ChargeOrder } from "../../ports/PaymentProcessor.ts"

/** What is ordered of the processor for these terms; the company's generic payer stands in where they name none. */
export const chargeOrder = (
  company: Company,
  terms: Omit<ChargeRequest, "isOfContract"> & Pick<ChargeTerms, "payableUntil">,
  requestedAt: number,
): ChargeOrder => {
  const { id, amountCents, dueDate, payableUntil, payableForSeconds, messageToPayer, additionalInfo } = terms
  const payer = terms.payer ?? company.genericPayer
  return {
    company,
    id,
    txid: chargeTxid(company.cnpj, id),
    amountCents,
    requestedAt,
    payableUntil,
    ...(dueDate && { dueDate }),
    ...(payer && { payer }),
    ...(payableForSeconds !== undefined && { payableForSeconds }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    ...(additionalInfo && { additionalInfo }),
  }
}
