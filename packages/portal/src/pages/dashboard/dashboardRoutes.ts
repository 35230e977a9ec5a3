import type { Figures } from "@pixcharge/core/internal"
import { type Html, html } from "@pixcharge/web"
import { chartsCss } from "../../assets.ts"
import type { Content } from "../../frame/Content.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { type PeriodChoice, periodFields, periodQuery, periodText } from "../../parts/period.ts"
import { periodLinks } from "../../parts/periodLinks.ts"
import { readQueryPeriod } from "../lists/readQueryPeriod.ts"
import { filterForm } from "../lists/filterForm.ts"
import { chargeOutcomes } from "./chargeOutcomes.ts"
import { chartCard } from "./chartCard.ts"
import { conversionByHour } from "./conversionByHour.ts"
import { deliveryHealth } from "./deliveryHealth.ts"
import { figureTiles } from "./figureTiles.ts"
import { paidByDay } from "./paidByDay.ts"
import { timeToPayment } from "./timeToPayment.ts"

const charts = [chargeOutcomes, paidByDay, timeToPayment, conversionByHour, deliveryHealth]

/** The longest period of figures. */
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

/** The start page of a company. */
export const dashboardRoutes: ReadonlyArray<PortalRoute> = [
  // Its figures read the whole period.
  page("", { section: "dashboard" }, dashboard, {
    everyMs: 10_000,
    look: async (view) => readFigures(view, readDashboardPeriod(view)),
  }),
]
