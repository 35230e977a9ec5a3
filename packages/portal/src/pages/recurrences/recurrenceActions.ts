import type { PlainRecurrence } from "@pixcharge/embed"
import { html } from "@pixcharge/web"
import type { Form } from "@pixcharge/web"
import type { Content, Crumb, Outcome } from "../../frame/Content.ts"
import type { ActionView, View } from "../../frame/View.ts"
import { confirmation } from "../../parts/confirmation.ts"
import { facts } from "../../parts/facts.ts"
import { formats } from "../../parts/formats.ts"
import { readDay } from "../../parts/period.ts"
import { chargePath, chargesCrumb } from "../charges/chargePaths.ts"
import { chargeTexts } from "../charges/chargeTexts.ts"
import { debitSection } from "./debitSection.ts"
import { findRetry, retryPath } from "./findRetry.ts"
import { findNextCycle, readRecurrence } from "./readRecurrence.ts"
import { recurrencePath, recurrencesCrumb } from "./recurrencePaths.ts"
import { termFacts } from "./recurrencePage.ts"
import { isOver } from "./recurrenceTerms.ts"
import { recurrenceTexts } from "./recurrenceTexts.ts"

const cycleField = "ciclo"
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

/** Asks for a confirmation of the end. */
export const confirmEnd = async (view: View, id: string): Promise<Content> => {
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

/** Ends a recurrence. */
export const end = async ({ as, company }: ActionView, id: string): Promise<Outcome> => {
  await as.recurrences.end(company, id)
  return { to: recurrencePath(id), notice: "recurrenceEnding" }
}

/** Asks for a confirmation before the next cycle's charge is cancelled, or never made. */
export const confirmSkip = async (view: View, id: string): Promise<Content> => {
  const shown = await readRecurrence(view, id)
  const next = findNextCycle(shown, view.now)
  const { skip: title, skipBlocked, skipAsk, skipSubmit } = recurrenceTexts
  const crumbs = listRecurrenceCrumbs(shown.recurrence)
  if (next === undefined) return blocked(title, crumbs, skipBlocked)
  return {
    title,
    crumbs,
    body: confirmation(view, {
      body: html`<p>${skipAsk}</p>
        ${facts([
          [recurrenceTexts.cycle, String(next.cycle)],
          [recurrenceTexts.dueDate, formats.day(next.dueDate)],
        ])}`,
      path: recurrencePath(id, "/cancelar"),
      values: { [cycleField]: String(next.cycle) },
      submit: skipSubmit(next.cycle),
      isDangerous: true,
      back: recurrencePath(id),
    }),
  }
}

/** Leaves the form's cycle out. */
export const skip = async ({ as, company }: ActionView, id: string, form: Form): Promise<Outcome> => {
  const text = form[cycleField] ?? ""
  if (!cycleForm.test(text)) return { correct: async (view) => ({ ...(await confirmSkip(view, id)), status: 422 }) }
  await as.recurrences.skip(company, id, Number(text))
  return { to: recurrencePath(id), notice: "cycleSkipped" }
}

/** Asks for a confirmation before a new attempt of a cycle's debit. */
export const confirmRetry = async (view: View, id: string): Promise<Content> => {
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

/** Asks for a new attempt on the form's day. */
export const retry = async ({ as, company }: ActionView, id: string, form: Form): Promise<Outcome> => {
  const on = readDay(form[dayField] ?? "")
  if (on === undefined) return { correct: async (view) => ({ ...(await confirmRetry(view, id)), status: 422 }) }
  await as.recurrences.retry(company, id, on)
  return { to: chargePath(id), notice: "retryRequested" }
}
