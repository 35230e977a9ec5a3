import type { DeliveryAttempt, DeliveryRecord, Page } from "@pixcharge/core"
import type { EventKind, PixEvent } from "@pixcharge/core/charges"
import type { EventFilter } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { badge, type Tone } from "../../parts/elements.ts"
import { field } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { choiceField, type Column, cursorField, filterForm, listTable, pager, statusField } from "../../parts/list.ts"
import { type PeriodChoice, periodFields, periodQuery, periodText, readQueryPeriod } from "../../parts/period.ts"

type Status = DeliveryRecord["status"]

export const kindTexts: Readonly<Record<EventKind, string>> = {
  paid: "Pagamento recebido",
  refunded: "Devolução concluída",
  "part-refunded": "Devolução parcial concluída",
  "refund-failed": "Devolução não realizada",
  expired: "Cobrança expirada",
  cancelled: "Cobrança cancelada",
  exception: "Pagamento sem cobrança",
  "exception-returned": "Pagamento sem cobrança devolvido",
  test: "Teste",
  "recurrence-approved": "Recorrência autorizada",
  "recurrence-ended": "Recorrência encerrada",
  "cycle-due": "Ciclo a cobrar",
  "payment-scheduled": "Pagamento agendado",
  "payment-failed": "Pagamento não realizado",
}

export const statusTexts: Readonly<Record<Status, { readonly text: string; readonly tone?: Tone }>> = {
  waiting: { text: "Aguardando", tone: "info" },
  delivered: { text: "Entregue", tone: "good" },
  dead: { text: "Não entregue", tone: "bad" },
  superseded: { text: "Retirado da fila" },
}

export const statusBadge = ({ status }: Pick<DeliveryRecord, "status">): Html =>
  badge(statusTexts[status].text, statusTexts[status].tone)

/** `host` is the host's function. */
export const endpointName = (id: string): string => (id === "host" ? "Aplicação (interno)" : id)

export const attemptText = ({ status, error }: DeliveryAttempt): string => {
  // The host's function has no HTTP status. It accepts an event unless it throws.
  if (status === undefined) return error === undefined ? "Aceito" : `Sem resposta: ${error}`
  return error === undefined ? `HTTP ${status}` : `HTTP ${status}: ${error}`
}

const pageLength = 50

export const endpointField = "ponto"
const chargeField = "cobranca"

/** The page finds the delivery by its event's time. */
export const momentField = "em"

/** The path of a delivery's page, relative to the company's path. `step` is the path of an action of the page. */
export const deliveryPath = (
  { event, endpointId }: { readonly event: Pick<PixEvent, "id" | "occurredAt">; readonly endpointId: string },
  step = "",
): string => {
  const names = [event.id, endpointId].map((name) => encodeURIComponent(name))
  return `/eventos/${names.join("/")}${step}?${momentField}=${event.occurredAt}`
}

export const deliveryColumns = ({ link }: View): ReadonlyArray<Column<DeliveryRecord>> => [
  {
    title: "Ocorrido em",
    cell: (delivery) =>
      html`<a href="${link(deliveryPath(delivery))}">${formats.dateTime(delivery.event.occurredAt)}</a>`,
  },
  { title: "Evento", onPhone: "title", cell: ({ event }) => kindTexts[event.kind] },
  { title: "Webhook", cell: ({ endpointId }) => html`<span class="break">${endpointName(endpointId)}</span>` },
  { title: "Situação", onPhone: "status", cell: statusBadge },
  { title: "Tentativas", isNumber: true, cell: ({ attempts }) => formats.count(attempts) },
  {
    title: "Última resposta",
    onPhone: "rest",
    cell: ({ lastAttempt }) =>
      lastAttempt === undefined ? "—" : html`<span class="break">${attemptText(lastAttempt)}</span>`,
  },
]

const statuses = Object.keys(statusTexts) as ReadonlyArray<Status>

interface Input {
  readonly status: Status | undefined
  readonly endpointId: string
  readonly chargeId: string
}

const readInput = (query: URLSearchParams): Input => ({
  status: statuses.find((status) => status === query.get(statusField)),
  endpointId: query.get(endpointField) ?? "",
  chargeId: query.get(chargeField)?.trim() ?? "",
})

const toEventFilter = ({ status, endpointId, chargeId }: Input): EventFilter => ({
  ...(status !== undefined && { status }),
  ...(endpointId !== "" && { endpointId }),
  ...(chargeId !== "" && { chargeId }),
})

/** Includes a chosen endpoint that is no longer registered. */
export const endpointChoice = async ({ pix, company }: View, chosen: string): Promise<Awaited<Html>> => {
  const registered = (await pix.events.endpoints(company)).map(({ id }) => id)
  const ids = chosen === "" || registered.includes(chosen) ? registered : [...registered, chosen]
  const choices = [["", "Todos"], ...ids.map((id) => [id, endpointName(id)] as const)] as const
  return choiceField(endpointField, "Webhook", choices, chosen)
}

const filter = async (view: View, period: PeriodChoice, input: Input): Promise<Awaited<Html>> =>
  filterForm(
    view.link("/eventos"),
    html`${periodFields(period)}
    ${choiceField(
      statusField,
      "Situação",
      [["", "Todas"], ...statuses.map((each) => [each, statusTexts[each].text] as const)],
      input.status ?? "",
    )}
    ${await endpointChoice(view, input.endpointId)}
    ${field(
      { name: chargeField, label: "Cobrança", hint: "O ID da cobrança (UUID)." },
      (attributes) => html`<input ${attributes} value="${input.chargeId}" autocomplete="off" spellcheck="false" />`,
    )}`,
  )

const writeCaption = (period: PeriodChoice, { status }: Input): string =>
  `${periodText(period)}: ${status === undefined ? "todas as situações" : statusTexts[status].text.toLowerCase()}, do mais recente ao mais antigo`

type Deliveries = Page<DeliveryRecord>

const readPeriod = (view: View): PeriodChoice => readQueryPeriod(view, { days: 7 })

const lookAtDeliveries = async (view: View): Promise<Deliveries | undefined> => {
  const { period, problem } = readPeriod(view)
  if (problem !== undefined) return undefined
  const cursor = view.query.get(cursorField) ?? undefined
  return view.pix.events.list(
    view.company,
    { ...toEventFilter(readInput(view.query)), period },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
}

const renderList = (view: View, period: PeriodChoice, { items, cursor: next }: Deliveries): Html => {
  const input = readInput(view.query)
  const fields = {
    ...periodQuery(period),
    [statusField]: input.status ?? "",
    [endpointField]: input.endpointId,
    [chargeField]: input.chargeId,
  }
  return html`${listTable(writeCaption(period, input), deliveryColumns(view), items, "Nenhum evento com estes filtros.")}
  ${pager({ query: view.query, path: view.link("/eventos"), fields, next })}`
}

const deliveryList = async (view: View): Promise<Content> => {
  const period = readPeriod(view)
  const found = await lookAtDeliveries(view)
  return {
    shown: found,
    title: "Eventos",
    ...(period.problem !== undefined && { status: 422 }),
    body: html`<div class="row row-spread">
        <p class="muted">Eventos das cobranças, enviados a cada webhook.</p>
        ${view.may("events") && html`<a class="button button-small" href="${view.link("/eventos/reenviar")}">Reenviar eventos</a>`}
      </div>
      ${filter(view, period, readInput(view.query))} ${found !== undefined && renderList(view, period, found)}`,
  }
}

const section = "deliveries"

export const deliveryListRoutes: ReadonlyArray<PortalRoute> = [
  page("/eventos", { section }, deliveryList, { everyMs: 3_000, look: lookAtDeliveries }),
]
