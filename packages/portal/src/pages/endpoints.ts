import type { EndpointOverview } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { Content, View } from "../frame/View.ts"
import { action, page, type PortalRoute } from "../frame/PortalRoute.ts"
import { badge, facts } from "../parts/elements.ts"
import { formats } from "../parts/formats.ts"
import { endpointField, endpointName, kindTexts } from "./deliveries/deliveryList.ts"

/** From this count on, the page shows "10.000 ou mais". */
const maxCounted = 10_000

const formatCount = (count: number): string =>
  count >= maxCounted ? `${formats.count(maxCounted)} ou mais` : formats.count(count)

const statusBadge = ({ status }: EndpointOverview): Html => {
  switch (status) {
    case "enabled":
      return badge("Ativo", "good")
    case "paused":
      return badge("Pausado", "warn")
    case "disabled":
      return badge("Desativado pelo destino", "bad")
  }
}

const healthBadge = ({ health }: EndpointOverview): Html =>
  health === "healthy" ? badge("Saudável", "good") : badge("Falhando", "bad")

const actionPath = ({ id }: EndpointOverview, step: string): string => `/pontos/${encodeURIComponent(id)}/${step}`

const button = (view: View, endpoint: EndpointOverview, step: string, label: string): Html =>
  html`<form method="post" action="${view.link(actionPath(endpoint, step))}">
    ${view.formFields()}
    <button class="button button-small" aria-label="${label}: ${endpointName(endpoint.id)}">${label}</button>
  </form>`

const hint = ({ isOwn, status }: EndpointOverview): Html | false => {
  if (!isOwn) {
    return html`<p class="hint">
      Recebe eventos de outras empresas também: só quem administra o sistema pode pausá-lo ou reativá-lo.
    </p>`
  }
  return (
    status === "disabled" &&
    html`<p class="hint">O webhook respondeu 410: não aceita mais eventos. Eles ficam em espera até a reativação.</p>`
  )
}

const card = (view: View, endpoint: EndpointOverview): Html => {
  const { id, host, kinds, isOwn, status, waiting, retrying, oldestAt } = endpoint
  const query = String(new URLSearchParams({ [endpointField]: id, situacao: "waiting" }))
  return html`<li class="card stack">
    <div class="row row-spread">
      <h2 class="break">${endpointName(id)}</h2>
      <div class="row">${statusBadge(endpoint)} ${healthBadge(endpoint)}</div>
    </div>
    ${facts([
      ["Endereço", host && html`<span class="mono break">${host}</span>`],
      ["Recebe", kinds.map((kind) => kindTexts[kind].toLowerCase()).join(", ")],
      [
        "Aguardando",
        html`<a href="${view.link(`/eventos?${query}`)}">${formatCount(waiting)}</a>${
            retrying > 0 && `, ${formatCount(retrying)} após uma falha`
          }`,
      ],
      ["Evento mais antigo", oldestAt !== undefined && formats.relative(oldestAt, view.now)],
    ])}
    ${hint(endpoint)}
    <div class="row">
      ${isOwn && (status === "enabled" ? button(view, endpoint, "pausar", "Pausar") : button(view, endpoint, "retomar", "Reativar"))}
      ${button(view, endpoint, "testar", "Enviar evento de teste")}
    </div>
  </li>`
}

const endpointList = async (view: View): Promise<Content> => {
  const endpoints = await view.pix.events.endpoints(view.company)
  return {
    title: "Webhooks",
    body: html`<p class="muted">Os webhooks que recebem os eventos desta empresa e a situação de cada um.</p>
      ${
        endpoints.length === 0
          ? html`<p class="card empty">Nenhum webhook recebe os eventos desta empresa.</p>`
          : html`<ul class="card-list">
              ${endpoints.map((endpoint) => card(view, endpoint))}
            </ul>`
      }`,
  }
}

const section = "endpoints"
const right = "events"

export const endpointRoutes: ReadonlyArray<PortalRoute> = [
  page("/pontos", { section, right }, endpointList),
  action("/pontos/:endpointId/pausar", { section, right }, async ({ as, company, params }) => {
    await as.events.pause(company, params.endpointId)
    return { to: "/pontos", notice: "endpointPaused" }
  }),
  action("/pontos/:endpointId/retomar", { section, right }, async ({ as, company, params }) => {
    await as.events.resume(company, params.endpointId)
    return { to: "/pontos", notice: "endpointResumed" }
  }),
  action("/pontos/:endpointId/testar", { section, right }, async ({ as, company, params, actionKey }) => {
    await as.events.ping(company, params.endpointId, actionKey)
    return { to: "/pontos", notice: "testEventSent" }
  }),
]
