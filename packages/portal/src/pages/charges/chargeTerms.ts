import type { PlainCharge, PlainTerms } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { badge, type Tone } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { type Column, listTable } from "../../parts/list.ts"
import { chargeTexts } from "./chargeTexts.ts"

const termsTexts = {
  title: "Versões da cobrança",
  caption: "Da mais recente à emitida",
  number: "Nº",
  at: "Quando",
  by: "Origem",
  origins: { issue: "emissão", host: "aplicação", portal: "operador", bank: "banco" },
  amount: (before: string, after: string) => `valor de ${before} para ${after}`,
  dueDate: (before: string, after: string) => `vencimento de ${before} para ${after}`,
  payableUntil: (until: string) => `pode ser paga até ${until}`,
  others: "mesmo valor e mesmo prazo",
  underWay: (at: string, changes: string) =>
    `Alteração solicitada em ${at}: ${changes}. Até o banco confirmar, vale o que está abaixo.`,
  wait: "Aguarde a resposta do banco para pedir outra. O resultado aparece na página da cobrança.",
}

const statusTexts: Readonly<Record<PlainTerms["status"], { readonly text: string; readonly tone?: Tone }>> = {
  inForce: { text: "Em vigor", tone: "good" },
  replaced: { text: "Substituída" },
  requested: { text: "Aguardando o banco", tone: "info" },
  unanswered: { text: "Sem resposta do banco", tone: "warn" },
  refused: { text: "Recusada pelo banco", tone: "bad" },
}

type ShownTerms = Pick<PlainTerms, "amountCents" | "dueDate" | "payableUntil">

/** Never the texts, which can name the payer. */
export const termDifferences = (before: ShownTerms, after: ShownTerms): ReadonlyArray<string> => {
  const { reais, day, dateTime } = formats
  const differences = [
    before.amountCents !== after.amountCents && termsTexts.amount(reais(before.amountCents), reais(after.amountCents)),
    before.dueDate !== undefined &&
      after.dueDate !== undefined &&
      before.dueDate !== after.dueDate &&
      termsTexts.dueDate(day(before.dueDate), day(after.dueDate)),
    before.payableUntil !== after.payableUntil && termsTexts.payableUntil(dateTime(after.payableUntil)),
  ].filter((difference) => difference !== false)
  return differences.length === 0 ? [termsTexts.others] : differences
}

const underWayText = (charge: PlainCharge, requested: PlainTerms): string =>
  termsTexts.underWay(formats.moment(requested.requestedAt), termDifferences(charge, requested).join("; "))

export const changeNotice = (charge: PlainCharge, more = ""): Html | undefined => {
  const requested = charge.termsHistory?.find(({ status }) => status === "requested")
  return requested && html`<p class="notice" data-tone="info">${underWayText(charge, requested)} ${more}</p>`
}

/** For a form: another change has to wait. */
export const underWayNotice = (charge: PlainCharge): Html | undefined => changeNotice(charge, termsTexts.wait)

const columnsFor = (charge: PlainCharge): ReadonlyArray<Column<PlainTerms>> => [
  { title: termsTexts.number, cell: ({ number }) => String(number), isNumber: true },
  { title: chargeTexts.amount, onPhone: "title", cell: ({ amountCents }) => formats.reais(amountCents) },
  ...(charge.dueDate === undefined
    ? []
    : [{ title: chargeTexts.dueDate, cell: ({ dueDate }: PlainTerms) => dueDate && formats.day(dueDate) }]),
  { title: chargeTexts.payableUntil, cell: ({ payableUntil }) => formats.dateTime(payableUntil) },
  { title: termsTexts.at, cell: ({ requestedAt }) => formats.dateTime(requestedAt) },
  { title: termsTexts.by, cell: ({ by }) => termsTexts.origins[by ?? "issue"] },
  {
    title: chargeTexts.status,
    onPhone: "status",
    cell: ({ status }) => badge(statusTexts[status].text, statusTexts[status].tone),
  },
]

/** Earlier and requested terms; empty for a charge without a change. */
export const termsSection = (charge: PlainCharge): Html =>
  charge.termsHistory === undefined
    ? html``
    : html`<section class="stack" aria-labelledby="terms-heading">
        <h2 id="terms-heading">${termsTexts.title}</h2>
        ${listTable(termsTexts.caption, columnsFor(charge), charge.termsHistory.toReversed(), "")}
      </section>`
