import type { ReconciledPeriod } from "@pixcharge/core/internal"
import { html } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { View } from "../../frame/View.ts"
import { facts } from "../../parts/facts.ts"
import { formats } from "../../parts/formats.ts"
import { comparisonCsv } from "./comparisonCsv.ts"
import { readQueryDay, comparisonPage, dayField, makeDayPeriod } from "./comparisonPage.ts"

const { count, day: dayText } = formats

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

/** A day's payments beside the bank's list, as a page and as a file; and a form that records what the books lack. */
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
