import type { Figures } from "@pixcharge/core/internal"
import { type Html, html } from "@pixcharge/web"
import { chartsCss } from "../../assets.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { formats, several } from "../../parts/formats.ts"
import { filterForm } from "../../parts/list.ts"
import {
  type PeriodChoice,
  periodFields,
  periodLinks,
  periodQuery,
  periodText,
  readQueryPeriod,
} from "../../parts/period.ts"
import { chargeOutcomes } from "./chargeOutcomes.ts"
import { chartCard } from "./chartCard.ts"
import { conversionByHour } from "./conversionByHour.ts"
import { deliveryHealth } from "./deliveryHealth.ts"
import { paidByDay } from "./paidByDay.ts"
import { timeToPayment } from "./timeToPayment.ts"

const { count, percent, reais } = formats

interface Tile {
  readonly label: string
  readonly value: string
  readonly detail: string
  /** Whether an operator must act. */
  readonly isUrgent?: boolean
  readonly href?: string
}

const tile = ({ label, value, detail, isUrgent = false, href }: Tile): Html =>
  html`<li class="card figure-tile" ${isUrgent && html`data-tone="bad"`}>
    <p class="figure-label">${label}</p>
    <p class="figure-value">${href === undefined ? value : html`<a href="${href}">${value}</a>`}</p>
    <p class="muted">${detail}</p>
  </li>`

const makeTiles = (figures: Figures, link: View["link"], days: string): ReadonlyArray<Tile> => {
  const { charges, payments, returns, openExceptions, deliveries } = figures
  return [
    {
      label: "Recebido",
      value: reais(payments.cents),
      detail: several(payments.count, "pagamento", "pagamentos"),
    },
    {
      label: "Conversão",
      value: charges.issued === 0 ? "—" : percent(charges.paid / charges.issued),
      detail: `${count(charges.paid)} de ${several(charges.issued, "cobrança paga", "cobranças pagas")}`,
    },
    {
      label: "Expiradas",
      value: count(charges.expired),
      detail: charges.issued === 0 ? "sem cobranças" : `${percent(charges.expired / charges.issued)} das emitidas`,
      href: link(`/cobrancas?${days}&situacao=expired`),
    },
    {
      label: "Devolvido",
      value: reais(returns.cents),
      detail: several(returns.count, "devolução", "devoluções"),
    },
    {
      label: "Sem cobrança",
      value: count(openExceptions),
      detail: openExceptions === 1 ? "pagamento a tratar" : "pagamentos a tratar",
      isUrgent: openExceptions > 0,
      href: link(`/excecoes?${days}&situacao=open`),
    },
    {
      label: "Eventos não entregues",
      value: count(deliveries.dead),
      detail: `${count(deliveries.waiting)} aguardando envio`,
      isUrgent: deliveries.dead > 0,
      href: link(`/eventos?${days}&situacao=dead`),
    },
  ]
}

/** Figures, some with a link to their list. `days` is the period as a query. */
export const figureTiles = (figures: Figures, link: View["link"], days: string): Html =>
  html`<ul class="figure-tiles">
    ${makeTiles(figures, link, days).map(tile)}
  </ul>`

const charts = [chargeOutcomes, paidByDay, timeToPayment, conversionByHour, deliveryHealth]

const maxDays = 31

const readDashboardPeriod = (view: View): PeriodChoice => readQueryPeriod(view, { days: 7, maxDays })

const readFigures = ({ pix, company }: View, { period, problem }: PeriodChoice): Promise<Figures> | undefined =>
  problem === undefined ? pix.figures(company, period) : undefined

const renderFigures = (view: View, period: PeriodChoice, figures: Figures): Html => {
  const days = String(new URLSearchParams(periodQuery(period)))
  return html`<p class="muted">${periodText(period)}</p>
    ${figureTiles(figures, view.link, days)}
    <div class="chart-cards">${charts.map((chart) => chartCard(chart(figures)))}</div>`
}

const dashboard = async (view: View): Promise<Content> => {
  const period = readDashboardPeriod(view)
  const figures = await readFigures(view, period)
  return {
    title: "Painel",
    shown: figures,
    styles: [chartsCss],
    ...(period.problem !== undefined && { status: 422 }),
    body: html`${filterForm(view.link(), periodFields(period), { below: periodLinks(view, "", period, [1, 7, maxDays]) })}
    ${figures !== undefined && renderFigures(view, period, figures)}`,
  }
}

export const dashboardRoutes: ReadonlyArray<PortalRoute> = [
  // Looks less often than other pages, because the figures read the whole period.
  page("", { section: "dashboard" }, dashboard, {
    everyMs: 10_000,
    look: async (view) => readFigures(view, readDashboardPeriod(view)),
  }),
]
