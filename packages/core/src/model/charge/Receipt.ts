import { brasiliaWallClock } from "../calendar/BrasiliaTime.ts"
import { formatBrl } from "../money/Money.ts"
import type { Company } from "../party/Company.ts"
import { maskTaxId } from "../party/TaxId.ts"
import type { PaidCharge } from "./Charge.ts"

/** The first and last four characters: enough to recognise an identifier, too few to use it (decision 25). */
export const maskIdentifier = (text: string): string => `${text.slice(0, 4)}****${text.slice(-4)}`

const lines = (
  copy: string,
  { payment, payer, transactionId }: PaidCharge,
  company: Company,
): ReadonlyArray<string> => {
  const [date, time] = brasiliaWallClock(payment.paidAt).split("T") as [string, string]
  return [
    receiptTexts.title,
    copy,
    company.name,
    `CNPJ ${maskTaxId(company.cnpj)}`,
    `${receiptTexts.date} ${date.split("-").toReversed().join("/")} ${receiptTexts.time} ${time.slice(0, 8)}`,
    `${receiptTexts.amount} ${formatBrl(payment.amountCents)}`,
    ...(payer === undefined ? [] : [`${receiptTexts.payer} ${maskTaxId(payer.taxId)}`]),
    `${receiptTexts.payment} ${maskIdentifier(payment.endToEndId)}`,
    `${receiptTexts.transaction} ${maskIdentifier(transactionId)}`,
  ]
}

/**
 * The payer's receipt: company, date and time in Brasília, amount and masked identifiers (docs/interface.md, Receipts;
 * decision 25).
 */
export const customerReceipt = (charge: PaidCharge, company: Company): string =>
  lines(receiptTexts.customerCopy, charge, company).join("\n")

/** The merchant's copy of the receipt (docs/interface.md, Receipts). */
export const merchantReceipt = (charge: PaidCharge, company: Company): string =>
  lines(receiptTexts.merchantCopy, charge, company).join("\n")

const receiptTexts = {
  title: "COMPROVANTE DE PAGAMENTO PIX",
  customerCopy: "VIA DO CLIENTE",
  merchantCopy: "VIA DO ESTABELECIMENTO",
  date: "DATA",
  time: "HORA",
  amount: "VALOR",
  payer: "PAGADOR",
  payment: "PIX",
  transaction: "TRANSACAO",
} as const
