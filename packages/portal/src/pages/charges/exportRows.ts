import type { Page, Period } from "@pixcharge/core"
import { brasiliaWallClock } from "@pixcharge/core/calendar"
import type { Pix, PlainCharge, PlainPayment } from "@pixcharge/embed"
import type { CsvCell } from "../../csv/csvLine.ts"
import { maskPayer } from "../../parts/maskPayer.ts"
import { chargeMoney } from "./chargeMoney.ts"
import { statusTexts } from "./chargeTexts.ts"

type Rows = AsyncGenerator<ReadonlyArray<CsvCell>, void>

/** The columns. Amounts are integer cents, which every spreadsheet reads alike; moments are Brasília's. */
export const chargeHeader = [
  "cobranca",
  "txid",
  "criada_em",
  "situacao",
  "valor_centavos",
  "vencimento",
  "pagavel_ate",
  "pagador",
  "pago_em",
  "valor_pago_centavos",
  "devolvido_centavos",
  "motivos_devolucao",
  "end_to_end_id",
]

export const paymentHeader = [
  "end_to_end_id",
  "txid",
  "pago_em",
  "valor_centavos",
  "cobranca",
  "depois_do_prazo",
  "valor_diferente",
]

/** Why its payment went back, or is on its way back, oldest refund first; undefined without a reason. */
const refundReasons = (charge: PlainCharge): string | undefined => {
  const parts = (charge.partialRefunds ?? []).filter(({ status }) => status !== "failed").map(({ refund }) => refund)
  const whole = "refund" in charge && charge.refund !== undefined ? [charge.refund] : []
  const refunds = [...parts, ...whole].toSorted((a, b) => a.requestedAt - b.requestedAt)
  return refunds.flatMap(({ reason }) => reason ?? []).join(" | ") || undefined
}

const chargeRow = (charge: PlainCharge): ReadonlyArray<CsvCell> => {
  const { paidCents, returnedCents } = chargeMoney(charge)
  const payment = "payment" in charge ? charge.payment : undefined
  return [
    charge.id,
    charge.txid,
    brasiliaWallClock(charge.createdAt),
    statusTexts[charge.status].text,
    charge.amountCents,
    charge.dueDate,
    brasiliaWallClock(charge.payableUntil),
    charge.payer && maskPayer(charge.payer),
    payment && brasiliaWallClock(payment.paidAt),
    paidCents,
    payment && returnedCents,
    refundReasons(charge),
    payment?.endToEndId,
  ]
}

const yesOrNo = (is: boolean): string => (is ? "sim" : "não")

const paymentRow = ({ endToEndId, txid, paidAt, amountCents, chargeId, late, otherAmount }: PlainPayment) => [
  endToEndId,
  txid,
  brasiliaWallClock(paidAt),
  amountCents,
  chargeId,
  yesOrNo(late),
  yesOrNo(otherAmount),
]

/** The charges of a list, read page by page. */
export async function* chargeRows(read: (cursor?: string) => Promise<Page<PlainCharge>>): Rows {
  for (let page = await read(); ;) {
    for (const charge of page.items) yield chargeRow(charge)
    if (page.cursor === undefined) return
    page = await read(page.cursor)
  }
}

/** The payments of a period, oldest first, those without a charge, too. */
export async function* paymentRows(pix: Pix, company: string, period: Period): Rows {
  for await (const payment of pix.payments(company, period)) yield paymentRow(payment)
}
