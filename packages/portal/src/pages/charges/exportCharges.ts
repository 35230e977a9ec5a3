import type { Page, Period, Reply } from "@pixcharge/core"
import { brasiliaWallClock } from "@pixcharge/core/calendar"
import type { ChargeTerms, Payment } from "@pixcharge/core/charges"
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

/** Why its payment went back, or is on its way back, oldest refund first; undefined without a reason. */
const refundReasons = (charge: PlainCharge): string | undefined => {
  const parts = (charge.partialRefunds ?? []).filter(({ status }) => status !== "failed").map(({ refund }) => refund)
  const whole = "refund" in charge && charge.refund !== undefined ? [charge.refund] : []
  const refunds = [...parts, ...whole].toSorted((a, b) => a.requestedAt - b.requestedAt)
  return refunds.flatMap(({ reason }) => reason ?? []).join(" | ") || undefined
}

type Column<Row> = readonly [title: string, cell: (row: Row) => CsvCell]

const paymentOf = (charge: PlainCharge) => ("payment" in charge ? charge.payment : undefined)

/** The terms of a charge without a column: others have one, in the order here. */
type LeftOut =
  | "issuer"
  | "transactionId"
  | "messageToPayer"
  | "additionalInfo"
  | "payerErasedAt"
  | "fees"
  | "closedDays"
  | "brCode"
  | "cycle"
  | "watchUntil"

type OfMoney = "status" | "paidAt" | "paidCents" | "returnedCents" | "refundReasons" | "endToEndId"

/** Amounts are integer cents, which every spreadsheet reads alike; moments are Brasília's. */
const chargeColumns: Readonly<Record<Exclude<keyof ChargeTerms, LeftOut> | OfMoney, Column<PlainCharge>>> = {
  id: ["cobranca", ({ id }) => id],
  txid: ["txid", ({ txid }) => txid],
  createdAt: ["criada_em", ({ createdAt }) => brasiliaWallClock(createdAt)],
  status: ["situacao", ({ status }) => statusTexts[status].text],
  amountCents: ["valor_centavos", ({ amountCents }) => amountCents],
  dueDate: ["vencimento", ({ dueDate }) => dueDate],
  payableUntil: ["pagavel_ate", ({ payableUntil }) => brasiliaWallClock(payableUntil)],
  payer: ["pagador", ({ payer }) => payer && maskPayer(payer)],
  paidAt: [
    "pago_em",
    (charge) => {
      const payment = paymentOf(charge)
      return payment && brasiliaWallClock(payment.paidAt)
    },
  ],
  paidCents: ["valor_pago_centavos", (charge) => chargeMoney(charge).paidCents],
  returnedCents: [
    "devolvido_centavos",
    (charge) => (paymentOf(charge) === undefined ? undefined : chargeMoney(charge).returnedCents),
  ],
  refundReasons: ["motivos_devolucao", refundReasons],
  endToEndId: ["end_to_end_id", (charge) => paymentOf(charge)?.endToEndId],
}

const yesOrNo = (is: boolean): string => (is ? "sim" : "não")

const paymentColumns: Readonly<Record<Exclude<keyof Payment, "issuer" | "recordedAt">, Column<PlainPayment>>> = {
  endToEndId: ["end_to_end_id", ({ endToEndId }) => endToEndId],
  txid: ["txid", ({ txid }) => txid],
  paidAt: ["pago_em", ({ paidAt }) => brasiliaWallClock(paidAt)],
  amountCents: ["valor_centavos", ({ amountCents }) => amountCents],
  chargeId: ["cobranca", ({ chargeId }) => chargeId],
  late: ["depois_do_prazo", ({ late }) => yesOrNo(late)],
  otherAmount: ["valor_diferente", ({ otherAmount }) => yesOrNo(otherAmount)],
}

type Columns<Row> = Readonly<Record<string, Column<Row>>>

const headerOf = (columns: Columns<never>) => Object.values(columns).map(([title]) => title)

const rowOf = <Row>(columns: Columns<Row>, row: Row): ReadonlyArray<CsvCell> =>
  Object.values(columns).map(([, cell]) => cell(row))

/** The charges of a list, read page by page. */
async function* chargeRows(read: (cursor?: string) => Promise<Page<PlainCharge>>): Rows {
  for (let found = await read(); ;) {
    for (const charge of found.items) yield rowOf(chargeColumns, charge)
    if (found.cursor === undefined) return
    found = await read(found.cursor)
  }
}

/** The payments of a period, oldest first, those without a charge, too. */
async function* paymentRows(pix: Pix, company: string, period: Period): Rows {
  for await (const payment of pix.payments(company, period)) yield rowOf(paymentColumns, payment)
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

/** The charges of a list, and the payments of its period, as files. */
export const exportRoutes: ReadonlyArray<PortalRoute> = [
  page(chargesFilePath, { section }, chargesFile),
  page(paymentsFilePath, { section }, paymentsFile),
]
