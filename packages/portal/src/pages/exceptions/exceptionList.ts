import type { Page } from "@pixcharge/core"
import type { PlainException } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { badge, type Tone } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { choiceField, type Column, cursorField, filterForm, listTable, pager, statusField } from "../../parts/list.ts"
import { type PeriodChoice, periodFields, periodQuery, periodText, readQueryPeriod } from "../../parts/period.ts"

export const reasonTexts: Readonly<Record<PlainException["reason"], string>> = {
  furtherPayment: "A cobrança já tinha sido paga",
  cancelledCharge: "A cobrança tinha sido cancelada",
  unmatched: "Nenhuma cobrança corresponde ao pagamento",
}

const statusTexts: Readonly<Record<PlainException["status"], { readonly text: string; readonly tone?: Tone }>> = {
  open: { text: "Em aberto", tone: "warn" },
  refunding: { text: "Em devolução", tone: "info" },
  returned: { text: "Devolvido", tone: "good" },
  resolved: { text: "Mantido" },
}

export const statusBadge = ({ status }: PlainException): Html =>
  badge(statusTexts[status].text, statusTexts[status].tone)

/** Today and the 90 days before it. Older payments can't be returned. */
const shownDays = 91
const pageLength = 50

export const exceptionPath = (endToEndId: string, step = ""): string =>
  `/excecoes/${encodeURIComponent(endToEndId)}${step}`

type Status = PlainException["status"]
const statuses = Object.keys(statusTexts) as ReadonlyArray<Status>

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
      [["", "Todas"], ...statuses.map((each) => [each, statusTexts[each].text] as const)],
      status ?? "",
    )}`,
  )

const writeCaption = (period: PeriodChoice, status: Status | undefined): string => {
  const name = status === undefined ? "todas as situações" : statusTexts[status].text
  return `${periodText(period)}: ${name.toLowerCase()}, do mais recente ao mais antigo`
}

interface Input {
  readonly period: PeriodChoice
  readonly status: Status | undefined
  readonly cursor: string | undefined
}

const readInput = (view: View): Input => ({
  period: readQueryPeriod(view, { days: shownDays }),
  status: readStatus(view.query),
  cursor: view.query.get(cursorField) ?? undefined,
})

type Exceptions = Page<PlainException>

const readExceptions = async (
  { pix, company }: View,
  { period, status, cursor }: Input,
): Promise<Exceptions | undefined> =>
  period.problem === undefined
    ? pix.exceptions.search(
        company,
        { ...period.period, ...(status !== undefined && { status }) },
        { limit: pageLength, ...(cursor !== undefined && { cursor }) },
      )
    : undefined

const lookAtExceptions = (view: View) => readExceptions(view, readInput(view))

const renderList = (view: View, { period, status }: Input, { items, cursor: next }: Exceptions): Html => {
  const fields = { ...periodQuery(period), [statusField]: status ?? "" }
  return html`${listTable(writeCaption(period, status), columnsFor(view), items, "Nenhum pagamento com estes filtros.")}
  ${pager({ query: view.query, path: view.link("/excecoes"), fields, next })}`
}

const exceptionList = async (view: View): Promise<Content> => {
  const input = readInput(view)
  const { period, status } = input
  const found = await readExceptions(view, input)
  return {
    shown: found,
    title: "Pagamentos sem cobrança",
    ...(period.problem !== undefined && { status: 422 }),
    body: html`<p class="muted">Pagamentos recebidos sem cobrança correspondente.</p>
      ${filter(view, period, status)} ${found !== undefined && renderList(view, input, found)}`,
  }
}

const section = "exceptions"

export const exceptionListRoutes: ReadonlyArray<PortalRoute> = [
  page("/excecoes", { section }, exceptionList, { everyMs: 5_000, look: lookAtExceptions }),
]
