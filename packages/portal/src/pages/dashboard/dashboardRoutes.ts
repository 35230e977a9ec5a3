import { type Html, html } from "@pixcharge/web"
import { chartsCss } from "../../assets.ts"
import type { Content } from "../../frame/Content.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { type AskedPeriod, periodFields, periodQuery, periodText } from "../../parts/period.ts"
import { periodLinks } from "../../parts/periodLinks.ts"
import { askedPeriod } from "../lists/askedPeriod.ts"
import { filterForm } from "../lists/filterForm.ts"
import { chargeOutcomes } from "./chargeOutcomes.ts"
import { chartCard } from "./chartCard.ts"
import { conversionByHour } from "./conversionByHour.ts"
import { deliveryHealth } from "./deliveryHealth.ts"
import { figureTiles } from "./figureTiles.ts"
import { paidByDay } from "./paidByDay.ts"
import { timeToPayment } from "./timeToPayment.ts"

const charts = [chargeOutcomes, paidByDay, timeToPayment, conversionByHour, deliveryHealth]

/** The largest period that figures are counted for. */
const mostDays = 31

const counted = async (view: View, asked: AskedPeriod): Promise<Awaited<Html>> => {
  const figures = await view.pix.figures(view.company, asked.period)
  const days = String(new URLSearchParams(periodQuery(asked)))
  return html`<p class="muted">${periodText(asked)}</p>
    ${figureTiles(figures, view.link, days)}
    <div class="chart-cards">${charts.map((chart) => chartCard(chart(figures)))}</div>`
}

const dashboard = (view: View): Content => {
  const asked = askedPeriod(view, { days: 7, mostDays })
  return {
    title: "Painel",
    styles: [chartsCss],
    ...(asked.problem !== undefined && { status: 422 }),
    body: html`${filterForm(view.link(), periodFields(asked), { below: periodLinks(view, "", asked, [1, 7, mostDays]) })}
    ${asked.problem === undefined && counted(view, asked)}`,
  }
}

/** The start page of a company. */
export const dashboardRoutes: ReadonlyArray<PortalRoute> = [page("", { section: "dashboard" }, dashboard)]
