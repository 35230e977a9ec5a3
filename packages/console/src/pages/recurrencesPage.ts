import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import type { RecurrencePeriod } from "@pixcharge/core/recurrence"
import type { Reply } from "@pixcharge/core"
import type { PlainRecurrence } from "@pixcharge/embed"
import { fold, type Html, html, type PageRequest } from "@pixcharge/web"
import { randomUUID } from "node:crypto"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { formats, formFields, frame } from "./frame.ts"
import { recurrenceBadge } from "./parts.ts"

const maxListed = 25
/** The days until the first cycle. Its charge is made ten days before it, so a developer moves the clock only a few days. */
const startsAfterDays = 14

const perPeriod: Readonly<Record<RecurrencePeriod, string>> = {
  weekly: "a week",
  monthly: "a month",
  quarterly: "a quarter",
  halfYearly: "a half-year",
  yearly: "a year",
}

/** The amount of a cycle: `R$ 49.90 a month`. */
export const eachCycle = ({ amountCents, period }: PlainRecurrence): string =>
  amountCents === undefined
    ? `a varying amount ${perPeriod[period]}`
    : `${formats.reais(amountCents)} ${perPeriod[period]}`

const input = (name: string, label: string, value: string, type = "text"): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="off" />
  </div>`

const offerForm = (root: string, fields: Html, now: number): Html =>
  html`<form method="post" action="${root}console/recurrences" class="card stack" data-busy>
    ${fields}<input type="hidden" name="id" value="${randomUUID()}" />
    ${input("title", "Title", "Clube do livro")}
    ${input("amount", "Amount of each cycle in reais; empty for a varying amount", "49.90")}
    <div class="field">
      <label for="period">Period</label>
      <select id="period" name="period">
        ${Object.keys(perPeriod).map((period) => html`<option ${period === "monthly" && html`selected`}>${period}</option>`)}
      </select>
    </div>
    ${input("startDate", "First cycle", addDays(brasiliaDate(now), startsAfterDays), "date")}
    ${input("retryOn", "Days after the due date to try a failed debit again: 1, 3, 6; empty: never", "")}
    <fieldset class="stack">
      <legend>The payer authorises by</legend>
      <label class="choice"><input type="radio" name="journey" value="code" checked /> a code</label>
      <label class="choice"><input type="radio" name="journey" value="payment" /> a first payment</label>
      ${input("firstAmount", "First payment in reais", "10.00")}
    </fieldset>
    <button class="button button-primary button-wide">Offer</button>
  </form>`

const row = (root: string, recurrence: PlainRecurrence): Html =>
  html`<tr>
    <td data-on-phone="title"><a href="${root}console/recurrences/${recurrence.id}">${recurrence.title}</a></td>
    <td>${eachCycle(recurrence)}</td>
    <td data-on-phone="rest">${formats.day(recurrence.startDate)}</td>
    <td data-on-phone="status">${recurrenceBadge(recurrence.status)}</td>
  </tr>`

const list = (root: string, items: ReadonlyArray<PlainRecurrence>): Html =>
  items.length === 0
    ? html`<p class="empty">No recurrence yet: offer one with the form.</p>`
    : html`<div class="table-scroll">
        <table class="table table-stacked">
          <caption>
            The newest ${items.length}
          </caption>
          <thead>
            <tr>
              <th scope="col">Title</th>
              <th scope="col">Amount</th>
              <th scope="col">First cycle</th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            ${items.map((each) => row(root, each))}
          </tbody>
        </table>
      </div>`

export const recurrencesPage = async (
  context: ConsoleContext,
  request: PageRequest<"/console/recurrences">,
): Promise<Reply> => {
  const { pix, company } = context
  const { items } = await pix.recurrences.list(company.cnpj, {}, { limit: maxListed })
  const path = "console/recurrences"
  return frame(context, request, {
    title: "Recurrences",
    section: "recurrences",
    path,
    content: html`<h1>Recurrences</h1>
      <div class="columns">
        ${fold("Offer a recurrence", offerForm(request.root, await formFields(context, path), pix.clock.now()))}
        <div id="recurrence-list" data-live>${list(request.root, items)}</div>
      </div>`,
  })
}
