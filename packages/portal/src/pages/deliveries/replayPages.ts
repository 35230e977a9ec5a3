import type { DeliveryRecord, Period } from "@pixcharge/core"
import type { EventSelection } from "@pixcharge/embed"
import { type Form, type Html, html } from "@pixcharge/web"
import type { Content, Outcome } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { confirmation } from "../../parts/confirmation.ts"
import { facts } from "../../parts/facts.ts"
import { field, type FieldProblem } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { type AskedPeriod, periodFields } from "../../parts/period.ts"
import { askedPeriod } from "../lists/askedPeriod.ts"
import { choiceField, filterForm, statusField } from "../lists/filterForm.ts"
import { listTable } from "../lists/listTable.ts"
import { deliveryColumns, endpointChoice, endpointField } from "./deliveryList.ts"
import { deliveryCrumbs } from "./deliveryPage.ts"
import { endpointName, statusTexts } from "./deliveryTexts.ts"

const path = "/eventos/reenviar"
const nameField = "nome"
const longestName = 100
const fromField = "inicio"
const untilField = "fim"

/** Beyond so many a preview says "more than". */
const mostCounted = 1_000
const shown = 20

/** What can be sent again: all that has come to an end. */
const statuses = ["dead", "delivered"] as const
type Status = (typeof statuses)[number]

interface Asked {
  readonly name: string
  readonly status: Status | undefined
  readonly endpointId: string
}

type Read = (name: string) => string | null | undefined

const readAsked = (read: Read): Asked => ({
  name: read(nameField)?.trim() ?? "",
  status: statuses.find((status) => status === (read(statusField) ?? "dead")),
  endpointId: read(endpointField) ?? "",
})

const selectionOf = ({ status, endpointId }: Asked, period: Period): EventSelection & { readonly period: Period } => ({
  period,
  ...(status !== undefined && { status }),
  ...(endpointId !== "" && { endpointId }),
})

const nameProblem = ({ name }: Asked): FieldProblem | undefined => {
  if (name === "") return { field: nameField, text: "Dê um nome ao reenvio: ele aparece na auditoria." }
  return name.length > longestName
    ? { field: nameField, text: `O nome pode ter no máximo ${longestName} caracteres.` }
    : undefined
}

const choice = async (
  view: View,
  period: AskedPeriod,
  asked: Asked,
  problem: FieldProblem | undefined,
): Promise<Awaited<Html>> =>
  filterForm(
    view.link(path),
    html`${field(
      { name: nameField, label: "Nome do reenvio", hint: "Por exemplo: queda do servidor em 21/11.", problem },
      (attributes) => html`<input required maxlength="${longestName}" ${attributes} value="${asked.name}" />`,
    )}
    ${periodFields(period)}
    ${choiceField(
      statusField,
      "Situação",
      [
        ["dead", statusTexts.dead.text],
        ["delivered", statusTexts.delivered.text],
        ["", "Sem entrega e entregues"],
      ],
      asked.status ?? "",
    )}
    ${await endpointChoice(view, asked.endpointId)}`,
    { submit: "Ver o que será reenviado" },
  )

interface Chosen {
  readonly first: ReadonlyArray<DeliveryRecord>
  readonly count: number
  readonly isMore: boolean
}

const choose = async ({ pix, company }: View, asked: Asked, period: Period): Promise<Chosen> => {
  const { status, ...selection } = selectionOf(asked, period)
  const pages = await Promise.all(
    (status === undefined ? statuses : [status]).map((each) =>
      pix.events.list(company, { ...selection, status: each }, { limit: mostCounted }),
    ),
  )
  const items = pages.flatMap((page) => page.items)
  return {
    first: items.toSorted((a, b) => b.event.occurredAt - a.event.occurredAt).slice(0, shown),
    count: items.length,
    isMore: pages.some(({ cursor }) => cursor !== undefined),
  }
}

const countText = ({ count, isMore }: Chosen): string =>
  `${isMore ? "mais de " : ""}${formats.count(count)} ${count === 1 && !isMore ? "envio" : "envios"}`

const preview = async (view: View, asked: Asked, { from, until }: Period): Promise<Awaited<Html>> => {
  // The range is fixed now: what happens after this page isn't sent with what it shows.
  const period = { from, until: Math.min(until, view.now + 1) }
  const chosen = await choose(view, asked, period)
  const caption =
    chosen.count > shown ? `Os ${shown} mais recentes dos escolhidos` : "Os escolhidos, o mais recente primeiro"
  const table = listTable(caption, deliveryColumns(view), chosen.first, "Nada para reenviar neste período.")
  if (chosen.count === 0) return table
  return html`${confirmation(view, {
    body: html`<h2>Reenviar ${countText(chosen)}?</h2>
      ${facts([
        ["Nome", asked.name],
        ["Período", `${formats.dateTime(period.from)} a ${formats.dateTime(period.until)}`],
        ["Situação", asked.status === undefined ? "Sem entrega e entregues" : statusTexts[asked.status].text],
        ["Ponto de entrega", asked.endpointId === "" ? "Todos" : endpointName(asked.endpointId)],
      ])}
      <p class="notice" data-tone="warn">
        Cada recebedor recebe os mesmos eventos, com os mesmos identificadores, e precisa reconhecer os que já tratou:
        um sistema que não os reconhece pode entregar duas vezes. Avisos de pagamento cujo dinheiro voltou não são
        reenviados.
      </p>`,
    path,
    values: {
      [nameField]: asked.name,
      [fromField]: String(period.from),
      [untilField]: String(period.until),
      [statusField]: asked.status ?? "",
      [endpointField]: asked.endpointId,
    },
    submit: `Reenviar ${countText(chosen)}`,
    back: "/eventos",
  })}
  ${table}`
}

/** What a replay would send again: its name, period, state and endpoint are chosen, and then what they mean is shown. */
export const replayPage = async (view: View): Promise<Content> => {
  const period = askedPeriod(view, { days: 1, mostDays: 31 })
  const asked = readAsked((name) => view.query.get(name))
  const isAsked = view.query.has(nameField)
  const problem = isAsked ? nameProblem(asked) : undefined
  const isWrong = problem !== undefined || period.problem !== undefined
  return {
    title: "Reenviar eventos",
    crumbs: deliveryCrumbs,
    ...(isWrong && { status: 422 }),
    body: html`${choice(view, period, asked, problem)} ${isAsked && !isWrong && preview(view, asked, period.period)}`,
  }
}

const done =
  (sent: number) =>
  (view: View): Content => ({
    title: sent === 0 ? "Nada foi reenviado" : "Reenvio na fila",
    crumbs: deliveryCrumbs,
    body: html`<section class="card stack">
      <p>
        ${sent === 1 ? "1 envio está" : `${formats.count(sent)} envios estão`} na fila, e ${sent === 1 ? "sai" : "saem"}
        pela ordem em que aconteceu cada evento. Para parar, pause o ponto de entrega.
      </p>
      <div class="row">
        <a class="button" href="${view.link(`/eventos?${statusField}=waiting`)}">Acompanhar os que aguardam</a>
        <a class="button button-quiet" href="${view.link("/pontos")}">Pontos de entrega</a>
      </div>
    </section>`,
  })

/** Sends again what a preview showed. */
export const replay = async (view: View, form: Form): Promise<Outcome> => {
  const asked = readAsked((name) => form[name])
  const period = { from: Number(form[fromField] || Number.NaN), until: Number(form[untilField] || Number.NaN) }
  const problem = nameProblem(asked)
  if (problem !== undefined) return { page: replayPage }
  const sent = await view.as.events.replay(view.company, selectionOf(asked, period), { name: asked.name })
  return { page: done(sent) }
}
