import type { Period } from "@pixcharge/core"
import type { EventSelection } from "@pixcharge/embed"
import { type Form, type Html, html } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, Outcome, View } from "../../frame/View.ts"
import { confirmation, facts } from "../../parts/elements.ts"
import { field, type FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { choiceField, filterForm, listTable, statusField } from "../../parts/list.ts"
import { type PeriodChoice, periodFields, readQueryPeriod } from "../../parts/period.ts"
import { deliveryColumns, endpointChoice, endpointField, endpointName, statusTexts } from "./deliveryList.ts"
import { deliveryCrumbs } from "./deliveryPage.ts"

const path = "/eventos/reenviar"
const nameField = "nome"
const maxNameLength = 100
const fromField = "inicio"
const untilField = "fim"

/** Of each status. Above it, the preview says "mais de". */
const maxCounted = 1_000
const shown = 20

const statuses = ["dead", "delivered"] as const
type Status = (typeof statuses)[number]

interface ReplayInput {
  readonly name: string
  readonly status: Status | undefined
  readonly endpointId: string
}

type Read = (name: string) => string | null | undefined

const readReplayInput = (read: Read): ReplayInput => ({
  name: read(nameField)?.trim() ?? "",
  status: statuses.find((status) => status === (read(statusField) ?? "dead")),
  endpointId: read(endpointField) ?? "",
})

const toSelection = (
  { status, endpointId }: ReplayInput,
  period: Period,
): EventSelection & { readonly period: Period } => ({
  period,
  ...(status !== undefined && { status }),
  ...(endpointId !== "" && { endpointId }),
})

const nameProblem = ({ name }: ReplayInput): FieldProblem | undefined => {
  if (name === "") return { field: nameField, text: "Dê um nome ao reenvio: ele aparece na auditoria." }
  return name.length > maxNameLength
    ? { field: nameField, text: `O nome pode ter no máximo ${maxNameLength} caracteres.` }
    : undefined
}

const choice = async (
  view: View,
  period: PeriodChoice,
  input: ReplayInput,
  problem: FieldProblem | undefined,
): Promise<Awaited<Html>> =>
  filterForm(
    view.link(path),
    html`${field(
      { name: nameField, label: "Nome do reenvio", hint: "Por exemplo: queda do servidor em 21/11.", problem },
      (attributes) => html`<input required maxlength="${maxNameLength}" ${attributes} value="${input.name}" />`,
    )}
    ${periodFields(period)}
    ${choiceField(
      statusField,
      "Situação",
      [
        ["dead", statusTexts.dead.text],
        ["delivered", statusTexts.delivered.text],
        ["", "Não entregues e entregues"],
      ],
      input.status ?? "",
    )}
    ${await endpointChoice(view, input.endpointId)}`,
    { submit: "Ver o que será reenviado" },
  )

const countChosen = async ({ pix, company }: View, input: ReplayInput, period: Period) => {
  const { status, ...selection } = toSelection(input, period)
  const pages = await Promise.all(
    (status === undefined ? statuses : [status]).map((each) =>
      pix.events.list(company, { ...selection, status: each }, { limit: maxCounted }),
    ),
  )
  const items = pages.flatMap((listed) => listed.items)
  return {
    first: items.toSorted((a, b) => b.event.occurredAt - a.event.occurredAt).slice(0, shown),
    count: items.length,
    isMore: pages.some(({ cursor }) => cursor !== undefined),
  }
}

const countText = ({ count, isMore }: Awaited<ReturnType<typeof countChosen>>): string =>
  `${isMore ? "mais de " : ""}${formats.count(count)} ${count === 1 && !isMore ? "envio" : "envios"}`

const preview = async (view: View, input: ReplayInput, { from, until }: Period): Promise<Awaited<Html>> => {
  // Ends the period now, so the replay doesn't include an event that occurs after the preview.
  const period = { from, until: Math.min(until, view.now + 1) }
  const chosen = await countChosen(view, input, period)
  const caption =
    chosen.count > shown ? `Os ${shown} envios mais recentes` : "Envios escolhidos, do mais recente ao mais antigo"
  const table = listTable(caption, deliveryColumns(view), chosen.first, "Nada para reenviar neste período.")
  if (chosen.count === 0) return table
  return html`${confirmation(view, {
    body: html`<h2>Refazer ${countText(chosen)}?</h2>
      ${facts([
        ["Nome", input.name],
        ["Período", `${formats.dateTime(period.from)} a ${formats.dateTime(period.until)}`],
        ["Situação", input.status === undefined ? "Não entregues e entregues" : statusTexts[input.status].text],
        ["Webhook", input.endpointId === "" ? "Todos" : endpointName(input.endpointId)],
      ])}
      <p class="notice" data-tone="warn">
        Cada sistema de destino recebe os mesmos eventos, com os mesmos IDs, e precisa reconhecer os que já tratou: um
        sistema que não os reconhece pode, por exemplo, liberar o mesmo pedido duas vezes. Avisos de pagamentos já
        devolvidos não são reenviados.
      </p>`,
    path,
    values: {
      [nameField]: input.name,
      [fromField]: String(period.from),
      [untilField]: String(period.until),
      [statusField]: input.status ?? "",
      [endpointField]: input.endpointId,
    },
    submit: `Refazer ${countText(chosen)}`,
    back: "/eventos",
  })}
  ${table}`
}

const replayPage = async (view: View): Promise<Content> => {
  const period = readQueryPeriod(view, { days: 1, maxDays: 31 })
  const input = readReplayInput((name) => view.query.get(name))
  const isSubmitted = view.query.has(nameField)
  const problem = isSubmitted ? nameProblem(input) : undefined
  const isWrong = problem !== undefined || period.problem !== undefined
  return {
    title: "Reenviar eventos",
    crumbs: deliveryCrumbs,
    ...(isWrong && { status: 422 }),
    body: html`${choice(view, period, input, problem)} ${isSubmitted && !isWrong && preview(view, input, period.period)}`,
  }
}

const donePage =
  (sent: number) =>
  (view: View): Content => ({
    title: sent === 0 ? "Nada foi reenviado" : "Reenvio na fila",
    crumbs: deliveryCrumbs,
    body: html`<section class="card stack">
      <p>
        ${sent === 1 ? "1 envio está" : `${formats.count(sent)} envios estão`} na fila e ${sent === 1 ? "sai" : "saem"}
        na ordem em que os eventos ocorreram. Para parar, pause o webhook.
      </p>
      <div class="row">
        <a class="button" href="${view.link(`/eventos?${statusField}=waiting`)}">Ver os que aguardam envio</a>
        <a class="button button-quiet" href="${view.link("/pontos")}">Webhooks</a>
      </div>
    </section>`,
  })

const replay = async (view: View, form: Form): Promise<Outcome> => {
  const input = readReplayInput((name) => form[name])
  const period = { from: Number(form[fromField] || Number.NaN), until: Number(form[untilField] || Number.NaN) }
  const problem = nameProblem(input)
  if (problem !== undefined) return { page: replayPage }
  const sent = await view.as.events.replay(view.company, toSelection(input, period), { name: input.name })
  return { page: donePage(sent) }
}

const section = "deliveries"

export const replayRoutes: ReadonlyArray<PortalRoute> = [
  page("/eventos/reenviar", { section, right: "events" }, replayPage),
  action("/eventos/reenviar", { section, right: "events" }, replay),
]
