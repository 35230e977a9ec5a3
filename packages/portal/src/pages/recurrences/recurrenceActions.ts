import type { PlainRecurrence } from "@pixcharge/embed"
import { type Form, html } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { ActionView, Content, Crumb, Outcome, View } from "../../frame/View.ts"
import { confirmation, facts } from "../../parts/elements.ts"
import { field } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { readDay } from "../../parts/period.ts"
import { chargePath, chargesCrumb, chargeTexts } from "../charges/chargeTexts.ts"
import { debitSection, findRetry, retryPath } from "./debit.ts"
import { termFacts } from "./recurrencePage.ts"
import { type DueCycle, findNextCycle, isOver, listCyclesFrom, readRecurrence } from "./recurrenceTerms.ts"
import { recurrencePath, recurrencesCrumb, recurrenceTexts } from "./recurrenceTexts.ts"

const cycleField = "ciclo"
const lastField = "ate"
const dayField = "dia"
const cycleForm = /^[1-9]\d{0,5}$/

const blocked = (title: string, crumbs: ReadonlyArray<Crumb>, text: string): Content => ({
  title,
  crumbs,
  body: html`<p class="notice" data-tone="warn">${text}</p>`,
})

const listRecurrenceCrumbs = ({ id, title }: PlainRecurrence): ReadonlyArray<Crumb> => [
  recurrencesCrumb,
  { title, path: recurrencePath(id) },
]

const confirmEnd = async (view: View, id: string): Promise<Content> => {
  const recurrence = await view.pix.recurrences.find(view.company, id)
  const { endIt: title, endBlocked, endAsk, endSubmit } = recurrenceTexts
  const crumbs = listRecurrenceCrumbs(recurrence)
  if (isOver(recurrence)) return blocked(title, crumbs, endBlocked)
  return {
    title,
    crumbs,
    body: confirmation(view, {
      body: html`<p>${endAsk}</p>
        ${termFacts(view, recurrence)}`,
      path: recurrencePath(id, "/encerrar"),
      submit: endSubmit,
      isDangerous: true,
      back: recurrencePath(id),
    }),
  }
}

const end = async ({ as, company }: ActionView, id: string): Promise<Outcome> => {
  await as.recurrences.end(company, id)
  return { to: recurrencePath(id), notice: "recurrenceEnding" }
}

const confirmSkip = async (view: View, id: string): Promise<Content> => {
  const shown = await readRecurrence(view, id)
  const next = findNextCycle(shown, view.now)
  const { skip: title, skipBlocked, skipAsk, firstSkipped, lastSkipped, cycleText } = recurrenceTexts
  const crumbs = listRecurrenceCrumbs(shown.recurrence)
  if (next === undefined) return blocked(title, crumbs, skipBlocked)
  const name = ({ cycle, dueDate }: DueCycle) => cycleText(cycle, formats.day(dueDate))
  return {
    title,
    crumbs,
    body: confirmation(view, {
      body: html`<p>${skipAsk}</p>
        ${facts([[firstSkipped, name(next)]])}
        ${field(
          { name: lastField, label: lastSkipped },
          (attributes) =>
            html`<select ${attributes}>
              ${listCyclesFrom(shown.recurrence, next).map((each) => html`<option value="${each.cycle}">${name(each)}</option>`)}
            </select>`,
        )}`,
      path: recurrencePath(id, "/pular"),
      values: { [cycleField]: String(next.cycle) },
      submit: title,
      isDangerous: true,
      back: recurrencePath(id),
    }),
  }
}

const skip = async ({ as, company }: ActionView, id: string, form: Form): Promise<Outcome> => {
  const texts = [form[cycleField] ?? "", form[lastField] ?? ""]
  const [from = 0, to = 0] = texts.map(Number)
  if (!texts.every((text) => cycleForm.test(text)) || to < from)
    return { correct: async (view) => ({ ...(await confirmSkip(view, id)), status: 422 }) }
  await as.recurrences.skip(company, id, { cycles: [from, to] })
  return { to: recurrencePath(id), notice: "cyclesSkipped" }
}

const confirmRetry = async (view: View, id: string): Promise<Content> => {
  const charge = await view.pix.find(view.company, id)
  const on = findRetry(charge, view.now)
  const { retry: title, retryBlocked, retryAsk, retryOn, retrySubmit } = recurrenceTexts
  const back = chargePath(id)
  const crumbs = [chargesCrumb, { title: chargeTexts.title(formats.reais(charge.amountCents)), path: back }]
  if (on === undefined) return blocked(title, crumbs, retryBlocked)
  return {
    title,
    crumbs,
    body: html`${confirmation(view, {
      body: html`<p>${retryAsk}</p>
        ${facts([
          [retryOn, formats.day(on)],
          [chargeTexts.amount, formats.reais(charge.amountCents)],
        ])}`,
      path: retryPath(id),
      values: { [dayField]: on },
      submit: retrySubmit(formats.day(on)),
      back,
    })}
    ${debitSection(view, charge)}`,
  }
}

const retry = async ({ as, company }: ActionView, id: string, form: Form): Promise<Outcome> => {
  const on = readDay(form[dayField] ?? "")
  if (on === undefined) return { correct: async (view) => ({ ...(await confirmRetry(view, id)), status: 422 }) }
  await as.recurrences.retry(company, id, on)
  return { to: chargePath(id), notice: "retryRequested" }
}

const section = "recurrences"

const changes = { right: "recurrences", section } as const

const chargeChanges = { right: "recurrences", section: "charges" } as const

export const recurrenceRoutes: ReadonlyArray<PortalRoute> = [
  page("/recorrencias/:id/encerrar", changes, (view) => confirmEnd(view, view.params.id)),
  action("/recorrencias/:id/encerrar", changes, (view) => end(view, view.params.id)),
  page("/recorrencias/:id/pular", changes, (view) => confirmSkip(view, view.params.id)),
  action("/recorrencias/:id/pular", changes, (view, form) => skip(view, view.params.id, form)),
  page("/cobrancas/:id/tentar", chargeChanges, (view) => confirmRetry(view, view.params.id)),
  action("/cobrancas/:id/tentar", chargeChanges, (view, form) => retry(view, view.params.id, form)),
]
