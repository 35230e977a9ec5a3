import type { PlainException } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { cursorField, linkStep, pager } from "../../parts/pager.ts"
import { type PeriodChoice, periodFields, periodQuery, periodText } from "../../parts/period.ts"
import { readQueryPeriod } from "../lists/readQueryPeriod.ts"
import { choiceField, filterForm, statusField } from "../lists/filterForm.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { reasonTexts, statusBadge, statusTexts } from "./exceptionTexts.ts"

/** A payment can be returned for 90 days: older exceptions wait for nothing. */
const shownDays = 90
const pageLength = 50

export const exceptionPath = (endToEndId: string, step = ""): string =>
  `/excecoes/${encodeURIComponent(endToEndId)}${step}`

type Status = PlainException["status"]
const statuses = Object.keys(statusTexts) as ReadonlyArray<Status>

/** The chosen status; open ones by default, undefined for all. */
const readStatus = (query: URLSearchParams): Status | undefined => {
  const text = query.get(statusField) ?? "open"
  return statuses.find((status) => status === text)
}

const columnsFor = ({ link }: View): ReadonlyArray<Column<PlainException>> => [
  {
    title: "Pago em",
    cell: ({ payment }) =>
      html`<a href="${link(exceptionPath(payment.endToEndId))}">${formats.dateTime(payment.paidAt)}</a>`,
  },
  { title: "Valor", isNumber: true, onPhone: "title", cell: ({ payment }) => formats.reais(payment.amountCents) },
  { title: "Motivo", cell: ({ reason }) => reasonTexts[reason] },
  {
    title: "Situação",
    onPhone: "status",
    cell: statusBadge,
  },
  {
    title: "ID da transação",
    onPhone: "rest",
    cell: ({ payment }) => html`<span class="mono break">${payment.endToEndId}</span>`,
  },
]

const filter = (view: View, period: PeriodChoice, status: Status | undefined): Html =>
  filterForm(
    view.link("/excecoes"),
    html`${periodFields(period)}
    ${choiceField(
      statusField,
      "Situação",
      [["", "Todos"], ...statuses.map((each) => [each, statusTexts[each].text] as const)],
      status ?? "",
    )}`,
  )

const writeCaption = (period: PeriodChoice, status: Status | undefined): string => {
  const name = status === undefined ? "Todos" : statusTexts[status].text
  return `${periodText(period)}: ${name.toLowerCase()}, o mais recente primeiro`
}

const renderList = async (view: View, period: PeriodChoice, status: Status | undefined): Promise<Awaited<Html>> => {
  const cursor = view.query.get(cursorField) ?? undefined
  const { items, cursor: next } = await view.pix.exceptions.search(
    view.company,
    { ...period.period, ...(status !== undefined && { status }) },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
  const step = linkStep(view.link("/excecoes"), { ...periodQuery(period), [statusField]: status ?? "" })
  return html`${listTable(writeCaption(period, status), columnsFor(view), items, "Nenhum pagamento com estes filtros.")}
  ${pager({ at: cursor, next, step })}`
}

/** Payments that settled no charge, by state and period. */
export const exceptionList = async (view: View): Promise<Content> => {
  const period = readQueryPeriod(view, { days: shownDays })
  const status = readStatus(view.query)
  return {
    title: "Pagamentos sem cobrança",
    ...(period.problem !== undefined && { status: 422 }),
    body: html`<p class="muted">Pagamentos recebidos sem cobrança correspondente.</p>
      ${filter(view, period, status)} ${period.problem === undefined && renderList(view, period, status)}`,
  }
}
