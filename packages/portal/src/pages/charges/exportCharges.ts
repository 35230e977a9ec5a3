import type { Page, Period, Reply } from "@pixcharge/core"
import { brasiliaWallClock } from "@pixcharge/core/calendar"
import type { Pix, PlainCharge, PlainPayment } from "@pixcharge/embed"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { type CsvCell, csvReply } from "../../parts/csv.ts"
import { maskPayer } from "../../parts/formats.ts"
import { readQueryPeriod } from "../../parts/period.ts"
import { defaultDays, readAddressFilter } from "./chargeFilter.ts"
import { chargeList, readCharges } from "./chargeList.ts"
import { chargeMoney } from "./chargeParts.ts"
import { chargesFilePath, paymentsFilePath, statusTexts } from "./chargeTexts.ts"

type Rows = AsyncGenerator<ReadonlyArray<CsvCell>, void>

/** The columns. Amounts are integer cents, which every spreadsheet reads alike; moments are Brasília's. */
const chargeHeader = [
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

const paymentHeader = [
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
async function* chargeRows(read: (cursor?: string) => Promise<Page<PlainCharge>>): Rows {
  for (let found = await read(); ;) {
    for (const charge of found.items) yield chargeRow(charge)
    if (found.cursor === undefined) return
    found = await read(found.cursor)
  }
}

/** The payments of a period, oldest first, those without a charge, too. */
async function* paymentRows(pix: Pix, company: string, period: Period): Rows {
  for await (const payment of pix.payments(company, period)) yield paymentRow(payment)
}

const section = "charges"

/** Rows that are read at once. */
const pageLimit = 500

const name = (what: string, { company }: View, { from, until }: { readonly from: string; readonly until: string }) =>
  [what, company, from, until].join("-")

const chargesFile = async (view: View): Promise<Reply | Content> => {
  const filter = await readAddressFilter(view)
  if (filter.problem !== undefined) return chargeList(view, filter)
  const read = (cursor?: string) => readCharges(view, { ...filter, cursor }, pageLimit)
  return csvReply({ name: name("cobrancas", view, filter.period), header: chargeHeader, rows: chargeRows(read) })
}

const paymentsFile = async (view: View): Promise<Reply | Content> => {
  const period = readQueryPeriod(view, { days: defaultDays })
  if (period.problem !== undefined) return chargeList(view, await readAddressFilter(view))
  const rows = paymentRows(view.pix, view.company, period.period)
  return csvReply({ name: name("pagamentos", view, period), header: paymentHeader, rows })
}

/** The charges of a list, and the payments of its period, as files. */
export const exportRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesFilePath, { section }, chargesFile),
  page(paymentsFilePath, { section }, paymentsFile),
]
