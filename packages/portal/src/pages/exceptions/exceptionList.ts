import type { PlainException } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { badge } from "../../parts/badge.ts"
import { formats } from "../../parts/formats.ts"
import { cursorField, linkStep, pager } from "../../parts/pager.ts"
import { type AskedPeriod, periodFields, periodQuery, periodText } from "../../parts/period.ts"
import { askedPeriod } from "../lists/askedPeriod.ts"
import { choiceField, filterForm } from "../lists/filterForm.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { reasonTexts, stateTexts } from "./exceptionTexts.ts"

/** A payment can be returned for so many days: what is older waits for nothing. */
const shownDays = 90
const pageLength = 50

export const exceptionPath = (endToEndId: string, step = ""): string =>
  `/excecoes/${encodeURIComponent(endToEndId)}${step}`

const stateField = "situacao"
const states = Object.values(stateTexts)
type State = (typeof states)[number]["id"]

/** Open ones, unless the query says otherwise; undefined is all. */
const readState = (query: URLSearchParams): State | undefined => {
  const asked = query.get(stateField) ?? "open"
  return states.find(({ id }) => id === asked)?.id
}

const columnsFor = ({ link }: View): ReadonlyArray<Column<PlainException>> => [
  {
    title: "Pago em",
    cell: ({ payment }) =>
      html`<a href="${link(exceptionPath(payment.endToEndId))}">${formats.dateTime(payment.paidAt)}</a>`,
  },
  { title: "Valor", isNumber: true, cell: ({ payment }) => formats.reais(payment.amountCents) },
  { title: "Motivo", cell: ({ reason }) => reasonTexts[reason] },
  {
    title: "Situação",
    cell: ({ state }) => badge(stateTexts[state._tag].text, stateTexts[state._tag].tone),
  },
  {
    title: "Identificador do Pix",
    cell: ({ payment }) => html`<span class="mono break">${payment.endToEndId}</span>`,
  },
]

const filter = (view: View, asked: AskedPeriod, state: State | undefined): Html =>
  filterForm(
    view.link("/excecoes"),
    html`${periodFields(asked)}
    ${choiceField(
      stateField,
      "Situação",
      [["", "Todas"], ...states.map(({ id, text }) => [id, text] as const)],
      state ?? "",
    )}`,
  )

const captionOf = (asked: AskedPeriod, state: State | undefined): string => {
  const name = states.find(({ id }) => id === state)?.text ?? "Todas"
  return `${periodText(asked)}: ${name.toLowerCase()}, a mais recente primeiro`
}

/** Payments that settled no charge, by state and period. */
export const exceptionList = async (view: View): Promise<Content> => {
  const asked = askedPeriod(view, { days: shownDays })
  const state = readState(view.query)
  const cursor = view.query.get(cursorField) ?? undefined
  const { items, cursor: next } = await view.pix.exceptions.search(
    view.company,
    { ...asked.period, ...(state !== undefined && { state }) },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
  const step = linkStep(view.link("/excecoes"), { ...periodQuery(asked), [stateField]: state ?? "" })
  return {
    title: "Exceções",
    body: html`<p class="muted">Pagamentos que chegaram e não quitaram nenhuma cobrança.</p>
      ${filter(view, asked, state)}
      ${listTable(captionOf(asked, state), columnsFor(view), items, "Nenhuma exceção com estes filtros.")}
      ${pager({ at: cursor, next, step })}`,
  }
}
