import type { Holidays } from "../../model/calendar/Holidays.ts"
import type { Charge } from "../../model/charge/Charge.ts"
import { chargeTxid } from "../../model/charge/ChargeId.ts"
import { type ChargeRequest, immediateLifetimeSeconds } from "../../model/charge/ChargeRequest.ts"
import { payableForSeconds } from "../../model/charge/Expiry.ts"
import { promisedGraceDays } from "../../model/charge/LateFees.ts"
import type { Company } from "../../model/party/Company.ts"
import type { ChargeOrder } from "../../ports/PaymentProcessor.ts"

export const chargeOrder = (
  company: Company,
  terms: Omit<ChargeRequest, "isOfContract">,
  { payableUntil, requestedAt }: Pick<ChargeOrder, "payableUntil" | "requestedAt">,
): ChargeOrder => {
  const { id, amountCents, dueDate, messageToPayer, additionalInfo, isOneOfMany } = terms
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
    ...(terms.payableForSeconds !== undefined && { payableForSeconds: terms.payableForSeconds }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    ...(additionalInfo && { additionalInfo }),
    ...(isOneOfMany && { isOneOfMany }),
  }
}

/** The order of a stored charge, with its own fees and promised days. */
export const storedOrder = (company: Company, charge: Charge, holidays: Holidays, requestedAt: number): ChargeOrder =>
  chargeOrder(
    issuerAtIssue(company, charge, holidays),
    { ...charge, ...requestedValidity(charge) },
    { payableUntil: charge.payableUntil, requestedAt },
  )

const issuerAtIssue = ({ fees: _, ...company }: Company, charge: Charge, holidays: Holidays): Company => ({
  ...company,
  ...(charge.fees && { fees: charge.fees }),
  ...(charge.dueDate && { graceDays: promisedGraceDays(charge, holidays) ?? company.graceDays }),
})

const requestedValidity = (charge: Charge): Pick<ChargeRequest, "payableForSeconds"> => {
  const seconds = payableForSeconds(charge)
  return seconds === undefined || seconds === immediateLifetimeSeconds ? {} : { payableForSeconds: seconds }
}
