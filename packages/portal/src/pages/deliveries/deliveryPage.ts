import type { DeliveryAttempt, DeliveryRecord } from "@pixcharge/core"
import { eventChargeId, type PixEvent } from "@pixcharge/core/charges"
import { type Html, html, type HtmlChild } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, Crumb, View } from "../../frame/View.ts"
import { facts } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { type Column, listTable } from "../../parts/list.ts"
import { chargePath } from "../charges/chargeTexts.ts"
import { exceptionPath } from "../exceptions/exceptionList.ts"
import { attemptText, deliveryPath, endpointName, kindTexts, momentField, statusBadge } from "./deliveryList.ts"

export const deliveryCrumbs: ReadonlyArray<Crumb> = [{ title: "Eventos", path: "/eventos" }]

const maxListed = 1_000

type DeliveryView = View<"/eventos/:eventId/:endpointId">

const findDelivery = async ({ pix, company, params, query }: DeliveryView): Promise<DeliveryRecord | undefined> => {
  const at = Number(query.get(momentField) ?? Number.NaN)
  if (!Number.isSafeInteger(at)) return undefined
  const filter = { endpointId: params.endpointId, period: { from: at, until: at + 1 } }
  const { items } = await pix.events.list(company, filter, { limit: maxListed })
  return items.find(({ event }) => event.id === params.eventId)
}

const notFound: Content = {
  title: "Evento não encontrado",
  status: 404,
  crumbs: deliveryCrumbs,
  body: html`<p class="notice" data-tone="bad">
    Não há envio deste evento a este webhook. Eventos entregues há muito tempo podem ter sido apagados pela manutenção.
  </p>`,
}

const attemptColumns: ReadonlyArray<Column<DeliveryAttempt>> = [
  { title: "Quando", onPhone: "title", cell: ({ startedAt }) => formats.dateTime(startedAt) },
  { title: "Resultado", cell: (attempt) => html`<span class="break">${attemptText(attempt)}</span>` },
  { title: "Duração", isNumber: true, cell: ({ latencyMs }) => `${formats.count(latencyMs)} ms` },
  {
    title: "Resposta",
    cell: ({ answer = "" }) => (answer === "" ? "—" : html`<code class="answer">${answer}</code>`),
  },
]

const resend = (view: DeliveryView, { event, endpointId }: DeliveryRecord): Html => {
  return html`<form
    class="card stack"
    method="post"
    action="${view.link(deliveryPath({ event, endpointId }, "/reenviar"))}"
  >
    <h2>Enviar de novo</h2>
    <p>
      O sistema de destino recebe o mesmo evento, com o mesmo ID. Se já o tratou, precisa reconhecê-lo e não fazer nada.
    </p>
    ${view.formFields()}
    <div><button class="button">Reenviar este evento</button></div>
  </form>`
}

const amountOf = (event: PixEvent): number | undefined => {
  if ("exception" in event) return event.exception.amountCents
  if ("part" in event) return event.part.amountCents
  return ("charge" in event ? event.charge : event.payment)?.amountCents
}

const subjectFacts = ({ link }: DeliveryView, event: PixEvent): ReadonlyArray<readonly [string, HtmlChild]> => {
  const amountCents = amountOf(event)
  const chargeId = eventChargeId(event)
  const endToEndId = "exception" in event ? event.exception.endToEndId : undefined
  const code = (path: string, text: string) => html`<a class="mono break" href="${link(path)}">${text}</a>`
  return [
    ["Valor", amountCents !== undefined && formats.reais(amountCents)],
    ["Cobrança", chargeId !== undefined && code(chargePath(chargeId), chargeId)],
    ["Pagamento sem cobrança", endToEndId !== undefined && code(exceptionPath(endToEndId), endToEndId)],
  ]
}

const deliveryPage = async (view: DeliveryView): Promise<Content> => {
  const delivery = await findDelivery(view)
  if (delivery === undefined) return notFound
  const { event, endpointId, status, attempts, nextAt, settledAt, reason } = delivery
  const history = await view.pix.events.attempts(view.company, event.id, endpointId)
  const isOver = status === "delivered" || status === "dead"
  return {
    title: kindTexts[event.kind],
    crumbs: deliveryCrumbs,
    shown: delivery,
    body: html`<section class="card">
        ${facts([
          ["Situação", statusBadge(delivery)],
          ["Webhook", html`<span class="break">${endpointName(endpointId)}</span>`],
          ["Ocorrido em", formats.dateTime(event.occurredAt)],
          ["Tentativas", formats.count(attempts)],
          ["Próximo envio", status === "waiting" && nextAt !== undefined && formats.dateTime(nextAt)],
          [
            status === "delivered" ? "Entregue em" : "Encerrado em",
            settledAt !== undefined && formats.dateTime(settledAt),
          ],
          ["Motivo", reason],
          ...subjectFacts(view, event),
          ["ID do evento", html`<span class="mono break">${event.id}</span>`],
        ])}
      </section>
      ${listTable("Tentativas, da mais antiga à mais recente", attemptColumns, history, "Nenhuma tentativa ainda.")}
      ${isOver && view.may("events") && resend(view, delivery)}`,
  }
}

const section = "deliveries"

export const deliveryPageRoutes: ReadonlyArray<PortalRoute> = [
  page("/eventos/:eventId/:endpointId", { section }, deliveryPage, { everyMs: 2_000, look: findDelivery }),
  action(
    "/eventos/:eventId/:endpointId/reenviar",
    { section, right: "events" },
    async ({ as, company, params, query }) => {
      const { eventId, endpointId } = params
      const sent = await as.events.replay(company, { eventId, endpointId })
      const event = { id: eventId, occurredAt: Number(query.get(momentField)) }
      return { to: deliveryPath({ event, endpointId }), notice: sent === 0 ? "eventNotResent" : "eventResent" }
    },
  ),
]
