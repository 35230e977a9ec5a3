import { isCancellable } from "@pixcharge/core/recurrence"
import { html } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, Outcome } from "../../frame/View.ts"
import { confirmation } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { moneyFacts } from "./chargePage.ts"
import { cancelPath, chargePath, chargesCrumb, chargeTexts } from "./chargeTexts.ts"

const cancelTexts = {
  title: "Cancelar cobrança",
  ask: "O código Pix desta cobrança deixará de ser válido. O cancelamento não pode ser desfeito.",
  askDebit:
    "O débito deste ciclo será cancelado no banco do pagador. O cancelamento não pode ser desfeito; os ciclos seguintes continuam.",
  submit: "Cancelar a cobrança",
  blocked: "Só uma cobrança que ainda não foi paga pode ser cancelada.",
  tooLate: "O débito é amanhã ou hoje: o cancelamento era possível até as 22h da véspera. Aguarde o resultado.",
}

const options = { right: "cancel", section: "charges" } as const
const path = "/cobrancas/:id/cancelar"

export const cancelRoutes: ReadonlyArray<PortalRoute> = [
  page(path, options, async (view): Promise<Content> => {
    const charge = await view.pix.find(view.company, view.params.id)
    const back = chargePath(charge.id)
    const crumbs = [chargesCrumb, { title: chargeTexts.title(formats.reais(charge.amountCents)), path: back }]
    const { title, submit, ask, askDebit, blocked, tooLate } = cancelTexts
    if (charge._tag !== "Pending") {
      return { title, crumbs, body: html`<p class="notice" data-tone="warn">${blocked}</p>` }
    }
    if (!isCancellable(charge, view.now)) {
      return { title, crumbs, body: html`<p class="notice" data-tone="warn">${tooLate}</p>` }
    }
    const body = html`<p>${charge.cycle === undefined ? ask : askDebit}</p>
      ${moneyFacts(charge, view.now)}`
    return {
      title,
      crumbs,
      body: confirmation(view, { body, path: cancelPath(charge.id), submit, isDangerous: true, back }),
    }
  }),
  action(path, options, async ({ as, company, params }): Promise<Outcome> => {
    const { id } = await as.cancel(company, params.id)
    return { to: chargePath(id), notice: "chargeCancelled" }
  }),
]
