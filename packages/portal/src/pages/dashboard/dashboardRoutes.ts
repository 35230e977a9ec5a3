import type { Figures } from "@pixcharge/core"
import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { type Html, html } from "@pixcharge/web"
import { chartsCss } from "../../assets.ts"
import type { Content } from "../../frame/Content.ts"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { periodForm } from "../periodForm.ts"
import { type ChosenPeriod, readPeriod } from "../../parts/readPeriod.ts"
import { chargeOutcomes } from "./chargeOutcomes.ts"
import { chartCard } from "./chartCard.ts"
import { conversionByHour } from "./conversionByHour.ts"
import { deliveryHealth } from "./deliveryHealth.ts"
import { figureTiles } from "./figureTiles.ts"
import { paidByDay } from "./paidByDay.ts"
import { timeToPayment } from "./timeToPayment.ts"

const charts = [paidByDay, chargeOutcomes, timeToPayment, conversionByHour, deliveryHealth]

const daysOf = ({ from, until }: ChosenPeriod): string => String(new URLSearchParams({ de: from, ate: until }))

const presets = [
  { days: 1, label: "Hoje" },
  { days: 7, label: "7 dias" },
  { days: 31, label: "31 dias" },
]

const presetLinks = ({ link, now }: View, chosen: ChosenPeriod): Html => {
  const today = brasiliaDate(now)
  const links = presets.map(({ days, label }) => {
    const from = addDays(today, 1 - days)
    const isChosen = chosen.from === from && chosen.until === today
    return html`<li>
      <a href="${link(`?${new URLSearchParams({ de: from, ate: today })}`)}" ${isChosen && html`aria-current="true"`}
        >${label}</a
      >
    </li>`
  })
  return html`<ul class="nav" aria-label="Períodos">
    ${links}
  </ul>`
}

const drawn = (figures: Figures, view: View, chosen: ChosenPeriod): Html =>
  html`${figureTiles(figures, view.link, daysOf(chosen))}
    <div class="chart-cards">${charts.map((chart) => chartCard(chart(figures)))}</div>`

const dashboard = async (view: View): Promise<Content> => {
  const chosen = readPeriod(view.query, { days: 7, mostDays: 31 }, view.now)
  const figures = await view.pix.figures(view.company, chosen.period)
  return {
    title: "Painel",
    styles: [chartsCss],
    body: html`<div class="row row-spread">${presetLinks(view, chosen)} ${periodForm(view.link(), chosen)}</div>
      ${drawn(figures, view, chosen)}`,
  }
}

/** The start page of a company. */
export const dashboardRoutes: ReadonlyArray<PortalRoute> = [page("", { section: "dashboard" }, dashboard)]
