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

const refundReasons = (charge: PlainCharge): string | undefined => {
  const parts = (charge.partialRefunds ?? []).filter(({ status }) => status !== "failed").map(({ refund }) => refund)
  const whole = "refund" in charge && charge.refund !== undefined ? [charge.refund] : []
  const refunds = [...parts, ...whole].toSorted((a, b) => a.requestedAt - b.requestedAt)
  return refunds.flatMap(({ reason }) => reason ?? []).join(" | ") || undefined
}

type Column<Row> = readonly [title: string, cell: (row: Row) => CsvCell]

const paymentOf = (charge: PlainCharge) => ("payment" in charge ? charge.payment : undefined)

/** Amounts are integer cents, because decimal marks differ. Times are Brasília's. */
export const chargeColumns: ReadonlyArray<Column<PlainCharge>> = [
  ["cobranca", ({ id }) => id],
  ["txid", ({ txid }) => txid],
  ["criada_em", ({ createdAt }) => brasiliaWallClock(createdAt)],
  ["situacao", ({ status }) => statusTexts[status].text],
  ["valor_centavos", ({ amountCents }) => amountCents],
  ["vencimento", ({ dueDate }) => dueDate],
  ["pagavel_ate", ({ payableUntil }) => brasiliaWallClock(payableUntil)],
  ["pagador", ({ payer }) => payer && maskPayer(payer)],
  [
    "pago_em",
    (charge) => {
      const payment = paymentOf(charge)
      return payment && brasiliaWallClock(payment.paidAt)
    },
  ],
  ["valor_pago_centavos", (charge) => chargeMoney(charge).paidCents],
  ["devolvido_centavos", (charge) => (paymentOf(charge) === undefined ? undefined : chargeMoney(charge).returnedCents)],
  ["motivos_devolucao", refundReasons],
  ["end_to_end_id", (charge) => paymentOf(charge)?.endToEndId],
  ["referencia", ({ reference }) => reference],
  ["metadados", ({ metadata }) => metadata && JSON.stringify(metadata)],
]

const yesOrNo = (is: boolean): string => (is ? "sim" : "não")

export const paymentColumns: ReadonlyArray<Column<PlainPayment>> = [
  ["end_to_end_id", ({ endToEndId }) => endToEndId],
  ["txid", ({ txid }) => txid],
  ["pago_em", ({ paidAt }) => brasiliaWallClock(paidAt)],
  ["valor_centavos", ({ amountCents }) => amountCents],
  ["cobranca", ({ chargeId }) => chargeId],
  ["depois_do_prazo", ({ late }) => yesOrNo(late)],
  ["valor_diferente", ({ otherAmount }) => yesOrNo(otherAmount)],
]

const headerOf = (columns: ReadonlyArray<Column<never>>) => columns.map(([title]) => title)

const rowOf = <Row>(columns: ReadonlyArray<Column<Row>>, row: Row): ReadonlyArray<CsvCell> =>
  columns.map(([, cell]) => cell(row))

async function* chargeRows(read: (cursor?: string) => Promise<Page<PlainCharge>>): Rows {
  for (let found = await read(); ;) {
    for (const charge of found.items) yield rowOf(chargeColumns, charge)
    if (found.cursor === undefined) return
    found = await read(found.cursor)
  }
}

async function* paymentRows(pix: Pix, company: string, period: Period): Rows {
  for await (const payment of pix.payments(company, period)) yield rowOf(paymentColumns, payment)
}

const section = "charges"

const pageLimit = 500

const name = (what: string, { company }: View, { from, until }: { readonly from: string; readonly until: string }) =>
  [what, company, from, until].join("-")

const chargesFile = async (view: View): Promise<Reply | Content> => {
  const filter = await readAddressFilter(view)
  if (filter.problem !== undefined) return chargeList(view, filter)
  const read = (cursor?: string) => readCharges(view, { ...filter, cursor }, pageLimit)
  return csvReply({
    name: name("cobrancas", view, filter.period),
    header: headerOf(chargeColumns),
    rows: chargeRows(read),
  })
}

const paymentsFile = async (view: View): Promise<Reply | Content> => {
  const period = readQueryPeriod(view, { days: defaultDays })
  if (period.problem !== undefined) return chargeList(view, await readAddressFilter(view))
  const rows = paymentRows(view.pix, view.company, period.period)
  return csvReply({ name: name("pagamentos", view, period), header: headerOf(paymentColumns), rows })
}

export const exportRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesFilePath, { section }, chargesFile),
  page(paymentsFilePath, { section }, paymentsFile),
]
