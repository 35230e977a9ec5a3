import type { Period, Reply } from "@pixcharge/core"
import { addDays, brasiliaDate, brasiliaWallClock, type LocalDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { ReconciledPeriod } from "@pixcharge/core/internal"
import type { PlainComparison } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import * as Predicate from "effect/Predicate"
import { action, page, type PortalRoute } from "../frame/PortalRoute.ts"
import type { Content, View } from "../frame/View.ts"
import { type CsvCell, csvReply } from "../parts/csv.ts"
import { badge, facts } from "../parts/elements.ts"
import { field, type FieldProblem } from "../parts/field.ts"
import { formats, several } from "../parts/formats.ts"
import { type Column, filterForm, listTable } from "../parts/list.ts"
import { readDay } from "../parts/period.ts"

export type ComparedPayment = PlainComparison["rows"][number]
export type Difference = ComparedPayment["differences"][number]

const differenceTexts: Readonly<Record<Difference, string>> = {
  missingInBooks: "Não consta nos registros",
  missingAtBank: "Não consta no banco",
  otherAmount: "Valor diferente",
  otherCharge: "Outra cobrança",
  returnMissingInBooks: "Devolução não consta nos registros",
  returnMissingAtBank: "Devolução não consta no banco",
  returnOtherAmount: "Devolução de outro valor",
}

const { count, dateTime, day: dayText, reais } = formats

const dayField = "dia"

/** The file has all rows. */
const maxShownRows = 200

/** The day to compare; default: yesterday, because its list is complete. */
const readQueryDay = (
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

const makeDayPeriod = (day: LocalDate, now: number): Period => ({
  from: startOfBrasiliaDay(day),
  until: Math.min(startOfBrasiliaDay(addDays(day, 1)), now),
})

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

const comparisonPage = async (view: View): Promise<Content> => {
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

/** Amounts are integer cents, because decimal marks differ. Times are Brasília's. */
const header = [
  "end_to_end_id",
  "situacao",
  "cobranca",
  "txid_registros",
  "pago_em_registros",
  "valor_registros_centavos",
  "devolvido_registros_centavos",
  "txid_banco",
  "pago_em_banco",
  "valor_banco_centavos",
  "devolvido_banco_centavos",
]

type Side = Omit<NonNullable<ComparedPayment["books"]>, "chargeId">

const side = (payment: Side | undefined): ReadonlyArray<CsvCell> => [
  payment?.txid,
  payment && brasiliaWallClock(payment.paidAt),
  payment?.amountCents,
  payment?.returnedCents,
]

const row = ({ endToEndId, differences, books, bank }: ComparedPayment): ReadonlyArray<CsvCell> => [
  endToEndId,
  differences.length === 0 ? "Igual" : differences.map((difference) => differenceTexts[difference]).join(", "),
  books?.chargeId,
  ...side(books),
  ...side(bank),
]

function* writeRows({ rows }: PlainComparison): Generator<ReadonlyArray<CsvCell>> {
  for (const payment of rows) yield row(payment)
}

const comparisonCsv = (company: string, day: string, comparison: PlainComparison): Promise<Reply> =>
  csvReply({ name: `conciliacao-${company}-${day}`, header, rows: writeRows(comparison) })

const donePage =
  (day: string, { listed, payments, returns }: ReconciledPeriod) =>
  (view: View): Content => ({
    title: `Conciliação de ${dayText(day)}`,
    crumbs: [{ title: "Conciliação", path: "/conciliacao" }],
    body: html`<section class="card stack">
      ${facts([
        ["Pagamentos na lista do banco", count(listed)],
        ["Pagamentos registrados agora", count(payments)],
        ["Devoluções registradas agora", count(returns)],
      ])}
      <div><a class="button" href="${view.link(`/conciliacao?${dayField}=${day}`)}">Comparar de novo</a></div>
    </section>`,
  })

const section = "reconciliation"
const right = "reconcile"

export const reconciliationRoutes: ReadonlyArray<PortalRoute> = [
  page("/conciliacao", { section, right }, comparisonPage),
  page("/conciliacao.csv", { section, right }, async (view) => {
    const { day, problem } = readQueryDay(view.query.get(dayField), view.now)
    if (problem !== undefined) return comparisonPage(view)
    const comparison = await view.pix.comparison(view.company, makeDayPeriod(day, view.now))
    return comparisonCsv(view.company, day, comparison)
  }),
  action("/conciliacao", { section, right }, async (view, form) => {
    const { day, problem } = readQueryDay(form[dayField], view.now)
    if (problem !== undefined) return { page: comparisonPage }
    const reconciled = await view.as.reconcile(view.company, makeDayPeriod(day, view.now))
    return { page: donePage(day, reconciled) }
  }),
]
