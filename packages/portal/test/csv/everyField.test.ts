import type { ChargeTerms, Payment } from "@pixcharge/core/charges"
import { expect, it } from "vitest"
import { chargeColumns, paymentColumns } from "../../src/pages/charges/exportCharges.ts"

/** The column of each term; undefined for terms that the file omits. */
const termColumns: Readonly<Record<keyof ChargeTerms, string | undefined>> = {
  id: "cobranca",
  txid: "txid",
  createdAt: "criada_em",
  amountCents: "valor_centavos",
  dueDate: "vencimento",
  payableUntil: "pagavel_ate",
  payer: "pagador",
  issuer: undefined,
  transactionId: undefined,
  messageToPayer: undefined,
  additionalInfo: undefined,
  reference: "referencia",
  metadata: "metadados",
  payerErasedAt: undefined,
  requested: undefined,
  fees: undefined,
  closedDays: undefined,
  brCode: undefined,
  cycle: undefined,
  watchUntil: undefined,
}

const moneyColumns = [
  "situacao",
  "pago_em",
  "valor_pago_centavos",
  "devolvido_centavos",
  "motivos_devolucao",
  "end_to_end_id",
]

const paymentFields: Readonly<Record<keyof Payment, string | undefined>> = {
  endToEndId: "end_to_end_id",
  txid: "txid",
  paidAt: "pago_em",
  amountCents: "valor_centavos",
  chargeId: "cobranca",
  late: "depois_do_prazo",
  otherAmount: "valor_diferente",
  issuer: undefined,
  recordedAt: undefined,
}

it.each([
  ["charges", chargeColumns, { ...termColumns, ...moneyColumns }],
  ["payments", paymentColumns, paymentFields],
] as const)("has a column in the file of %s for each field except the listed omissions", (_, columns, fields) => {
  const expected = Object.values(fields).filter((title) => title !== undefined)
  expect(columns.map(([title]) => title).toSorted()).toEqual(expected.toSorted())
})
