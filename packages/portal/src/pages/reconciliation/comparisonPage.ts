import type { Period } from "@pixcharge/core"
import { addDays, brasiliaDate, type LocalDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { PlainComparison } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import * as Predicate from "effect/Predicate"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { badge } from "../../parts/badge.ts"
import { field, type FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { several } from "../../parts/several.ts"
import { readDay } from "../../parts/period.ts"
import { filterForm } from "../lists/filterForm.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { type ComparedPayment, differenceTexts } from "./differenceTexts.ts"

const { count, dateTime, day: dayText, reais } = formats

export const dayField = "dia"

/** How many rows the page shows. The file has them all. */
const maxShownRows = 200

/** Reads the chosen day. Default: yesterday, whose list is complete. */
export const readQueryDay = (
  text: string | null | undefined,
  now: number,
): { readonly day: LocalDate; readonly problem?: FieldProblem } => {
  const today = brasiliaDate(now)
  const fallback = addDays(today, -1)
  if (Predicate.isNullish(text) || text === "") return { day: fallback }
  const day = readDay(text)
  if (day === undefined) {
    return { day: fallback, problem: { field: dayField, text: "Informe uma data válida, como 22/11/2026." } }
  }
  if (day > today) {
    return { day: fallback, problem: { field: dayField, text: "A data não pode ser futura." } }
  }
  return { day }
}

/** The whole day in Brasília, of today until now. */
export const makeDayPeriod = (day: LocalDate, now: number): Period => ({
  from: startOfBrasiliaDay(day),
  until: Math.min(startOfBrasiliaDay(addDays(day, 1)), now),
})

/** The values of both sides, or one value if they agree. */
const renderSides = (
  { books, bank }: ComparedPayment,
  read: (payment: NonNullable<ComparedPayment["bank"]>) => string,
): Html => {
  const [ours, theirs] = [books && read(books), bank && read(bank)]
  if (ours !== undefined && ours === theirs) return html`${ours}`
  return html`<span class="sides">
    <span><span class="muted">Registros</span> ${ours ?? "—"}</span>
    <span><span class="muted">Banco</span> ${theirs ?? "—"}</span>
  </span>`
}

const differenceBadges = ({ differences }: ComparedPayment): Html =>
  differences.length === 0
    ? badge("Igual", "good")
    : html`<span class="row badges"
        >${differences.map((difference) => badge(differenceTexts[difference], "bad"))}</span
      >`

const chargeLink = ({ link }: View, { books }: ComparedPayment): Html =>
  books?.chargeId === undefined
    ? html`—`
    : html`<a class="mono" href="${link(`/cobrancas/${books.chargeId}`)}">${books.chargeId.slice(0, 8)}</a>`

const columnsFor = (view: View): ReadonlyArray<Column<ComparedPayment>> => [
  { title: "Situação", onPhone: "status", cell: differenceBadges },
  { title: "Pago em", cell: (payment) => renderSides(payment, ({ paidAt }) => dateTime(paidAt)) },
  {
    title: "Valor",
    isNumber: true,
    onPhone: "title",
    cell: (payment) => renderSides(payment, ({ amountCents }) => reais(amountCents)),
  },
  {
    title: "Devolvido",
    isNumber: true,
    cell: (payment) => renderSides(payment, ({ returnedCents }) => (returnedCents === 0 ? "—" : reais(returnedCents))),
  },
  { title: "Cobrança", cell: (payment) => chargeLink(view, payment) },
  {
    title: "ID da transação",
    cell: ({ endToEndId }) => html`<span class="mono break">${endToEndId}</span>`,
  },
]

const summary = ({ rows, differences, matches, unreadable }: PlainComparison): Html =>
  differences + unreadable === 0
    ? html`<p class="notice" data-tone="good">
        ${matches === 0 ? "Nenhum pagamento neste dia, nem nos registros nem no banco." : `Tudo confere: ${several(matches, "pagamento igual", "pagamentos iguais")}.`}
      </p>`
    : html`<p class="notice" data-tone="bad">
        ${several(differences, "pagamento difere", "pagamentos diferem")}, ${several(matches, "é igual", "são iguais")}.
        ${unreadable > 0 && `O banco listou ${several(unreadable, "pagamento que não pôde ser lido", "pagamentos que não puderam ser lidos")}.`}
        ${differences > 0 && !rows.some(isMissingInBooks) && "Tudo consta nos registros. Consulte o banco sobre estas diferenças."}
      </p>`

/** Whether recording the bank's list would change anything in the books. */
const isMissingInBooks = ({ differences }: ComparedPayment): boolean =>
  differences.includes("missingInBooks") || differences.includes("returnMissingInBooks")

const actions = (view: View, day: LocalDate, { rows }: PlainComparison): Html =>
  html`<div class="row">
    ${
      rows.length > 0 &&
      html`<a class="button" href="${view.link(`/conciliacao.csv?${dayField}=${day}`)}">Baixar CSV</a>`
    }
    ${
      rows.some(isMissingInBooks) &&
      html`<form method="post" action="${view.link("/conciliacao")}">
        ${view.formFields()}
        <input type="hidden" name="${dayField}" value="${day}" />
        <button class="button button-primary">Registrar o que falta</button>
      </form>`
    }
  </div>`

const renderComparison = async (view: View, day: LocalDate): Promise<Awaited<Html>> => {
  const comparison = await view.pix.comparison(view.company, makeDayPeriod(day, view.now))
  const { rows } = comparison
  const shown = rows.length > maxShownRows ? `, ${maxShownRows} de ${count(rows.length)} (todos no CSV)` : ""
  return html`${summary(comparison)} ${actions(view, day, comparison)}
  ${
    rows.length > 0 &&
    listTable(
      `Dia ${dayText(day)}, no horário de Brasília: diferenças primeiro${shown}`,
      columnsFor(view),
      rows.slice(0, maxShownRows),
      "",
    )
  }`
}

/** A day's payments against the bank's list, differences first. */
export const comparisonPage = async (view: View): Promise<Content> => {
  const { day, problem } = readQueryDay(view.query.get(dayField), view.now)
  const input = field(
    { name: dayField, label: "Dia", problem },
    (attributes) => html`<input type="date" required ${attributes} value="${day}" max="${brasiliaDate(view.now)}" />`,
  )
  return {
    title: "Conciliação",
    ...(problem !== undefined && { status: 422 }),
    body: html`<p class="muted">
        Os pagamentos de um dia nos registros e na lista do banco. A consulta não altera nada; cada dia é conferido
        automaticamente.
      </p>
      ${filterForm(view.link("/conciliacao"), input, { submit: "Comparar" })}
      ${problem === undefined && renderComparison(view, day)}`,
  }
}
