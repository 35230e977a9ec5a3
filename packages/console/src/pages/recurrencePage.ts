import type { Reply } from "@pixcharge/core"
import { type DebitOutcome, debitOutcomes } from "@pixcharge/core/internal"
import { cycleStart, findRetryDay } from "@pixcharge/core/recurrence"
import type { PlainCharge, PlainRecurrence } from "@pixcharge/embed"
import { formatTaxId, type Html, html, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { chargeBadge, checkoutLink, codeCard, recurrenceBadge } from "./parts.ts"
import { formats, formFields, frame } from "./frame.ts"
import { eachCycle } from "./recurrencesPage.ts"

interface Forms {
  readonly action: string
  readonly fields: Html
}

const buttons = ({ action, fields }: Forms, path: string, title: string, choices: ReadonlyArray<Html>): Html =>
  html`<form method="post" action="${action}/${path}" class="card" data-busy>
    <h2>${title}</h2>
    ${fields}
    <div class="row">${choices}</div>
  </form>`

const button = (name: string, value: string, text: string): Html =>
  html`<button class="button button-small" name="${name}" value="${value}" id="${name}-${value}">${text}</button>`

const outcomeTexts: Readonly<Record<DebitOutcome, string>> = {
  paid: "Paid",
  paidInEvening: "Paid in the evening",
  noBalance: "No balance",
  aboveMaximum: "Above the maximum",
  accountClosed: "Account closed",
}

interface AmountField {
  readonly name: string
  readonly label: string
  readonly submit: string
}

const amountForm = ({ action, fields }: Forms, path: string, { name, label, submit }: AmountField): Html =>
  html`<form method="post" action="${action}/${path}" class="card row row-end" data-busy>
    ${fields}
    <div class="field">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" inputmode="decimal" autocomplete="off" />
    </div>
    <button class="button button-small">${submit}</button>
  </form>`

const skipForm = ({ action, fields }: Forms, nextCycle: number): Html => {
  const cycle = (name: string, label: string) =>
    html`<div class="field">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" value="${nextCycle}" inputmode="numeric" autocomplete="off" />
    </div>`
  return html`<form method="post" action="${action}/skip" class="card" data-busy>
    <h2>Skip cycles</h2>
    <p class="muted">For a pause. Skipped cycles are never charged, and their charges at the bank are cancelled.</p>
    ${fields}
    <div class="row row-end">
      ${cycle("from", "From cycle")} ${cycle("to", "To cycle")}
      <button class="button button-small">Skip them</button>
    </div>
  </form>`
}

const actions = (forms: Forms, { status, amountCents, nextCycle }: PlainRecurrence): Html => {
  if (status === "ended" || status === "ending") return html``
  const acts =
    status === "offered"
      ? [
          button("act", "approve", "Approve"),
          button("act", "decline", "Decline"),
          button("act", "expire", "Let it expire"),
        ]
      : [button("act", "cancel", "Cancel the authorisation")]
  const withCycle = { ...forms, fields: html`${forms.fields}<input type="hidden" name="cycle" value="${nextCycle}" />` }
  const outcomes = debitOutcomes.map((outcome) => button("outcome", outcome, outcomeTexts[outcome]))
  return html`${status !== "requested" && buttons(forms, "play", "Play the payer", acts)}
  ${
    status === "approved" &&
    html`${amountForm(forms, "play", { name: "maximum", label: "The payer's maximum, in reais", submit: "Set it" })}
    ${buttons(forms, "debit", "How the next day's debit ends", outcomes)}
    ${
      amountCents === undefined &&
      amountForm(withCycle, "charge", {
        name: "amount",
        label: `Amount of cycle ${nextCycle}, in reais`,
        submit: "Charge it",
      })
    }`
  }
  ${skipForm(forms, nextCycle)}
  ${buttons(forms, "end", "Play the company", [html`<button class="button button-small">End the recurrence</button>`])}`
}

const cycleRow = (root: string, charge: PlainCharge, fields: Html, now: number): Html => {
  const { id, cycle, debit, dueDate, status } = charge
  const isRetryable = status === "pending" && cycle && debit && findRetryDay(cycle, debit, now) !== undefined
  return html`<tr>
    <td data-on-phone="title"><a href="${root}console/charges/${id}">Cycle ${cycle?.cycle}</a></td>
    <td>${dueDate && formats.day(dueDate)}</td>
    <td data-on-phone="status">${chargeBadge(status)}</td>
    <td>
      ${debit?.attempts.map(({ on, status: result, code: bankCode }) => html`${formats.day(on)} ${result} ${bankCode}<br />`)}
      ${debit?.nextAttemptOn && html`Next planned attempt: ${formats.day(debit.nextAttemptOn)}`}
      ${
        isRetryable &&
        html`<form method="post" action="${root}console/charges/${id}/retry" data-busy>
          ${fields}<button class="button button-small">Ask for a new attempt</button>
        </form>`
      }
    </td>
  </tr>`
}

const cycles = (root: string, charges: ReadonlyArray<PlainCharge>, fields: Html, now: number): Html =>
  charges.length === 0
    ? html`<p class="empty">No cycle is charged yet: move the clock to ten days before a cycle begins.</p>`
    : html`<div class="table-scroll">
        <table class="table table-stacked">
          <caption>
            Cycles, newest first
          </caption>
          <thead>
            <tr>
              <th scope="col">Cycle</th>
              <th scope="col">Due</th>
              <th scope="col">Status</th>
              <th scope="col">Attempts</th>
            </tr>
          </thead>
          <tbody>
            ${charges.map((charge) => cycleRow(root, charge, fields, now))}
          </tbody>
        </table>
      </div>`

const facts = (recurrence: PlainRecurrence): Html =>
  html`<dl class="facts">
    <dt>Amount</dt>
    <dd>${eachCycle(recurrence)}</dd>
    <dt>Next undecided cycle</dt>
    <dd>${recurrence.nextCycle}, from ${formats.day(cycleStart(recurrence, recurrence.nextCycle))}</dd>
    <dt>Asks again</dt>
    <dd>
      ${recurrence.retryOn === undefined ? "no planned attempts" : `${recurrence.retryOn.join(", ")} days after the due date`}
    </dd>
    ${
      recurrence.skipped !== undefined &&
      html`<dt>Skipped cycles</dt>
        <dd>${recurrence.skipped.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ")}</dd>`
    }
    <dt>Payer</dt>
    <dd>${recurrence.payer && `${recurrence.payer.name}, ${formatTaxId(recurrence.payer.taxId)}`}</dd>
    <dt>Id</dt>
    <dd class="mono">${recurrence.id}</dd>
    ${
      recurrence._tag === "Ended" &&
      html`<dt>Ended</dt>
        <dd>${recurrence.end.reason} ${recurrence.end.by} ${recurrence.end.code}</dd>`
    }
  </dl>`

export const recurrencePage = async (
  context: ConsoleContext,
  request: PageRequest<"/console/recurrences/:id">,
): Promise<Reply> => {
  const { root, params } = request
  const { pix, company } = context
  const recurrence = await pix.recurrences.find(company.cnpj, params.id)
  const { items } = await pix.recurrences.charges(company.cnpj, recurrence.id, { limit: 25 })
  const path = `console/recurrences/${recurrence.id}`
  const fields = await formFields(context, path)
  const payerPage = await checkoutLink(context, root, recurrence.id, "recurrenceLink")
  return frame(context, request, {
    title: recurrence.title,
    section: "recurrences",
    path,
    content: html`<div class="row row-spread" id="recurrence-head" data-live>
        <h1>${recurrence.title} ${recurrenceBadge(recurrence.status)}</h1>
        ${payerPage !== undefined && html`<a class="button button-small" href="${payerPage}">Payer's page</a>`}
      </div>
      <div class="columns">
        <div class="stack" id="recurrence-actions" data-live>
          ${actions({ action: `${root}${path}`, fields }, recurrence)}
          ${
            recurrence._tag === "Offered" &&
            recurrence.brCode !== undefined &&
            codeCard("The code that authorises", recurrence.brCode)
          }
        </div>
        <div class="stack" id="recurrence-facts" data-live>
          <section class="card" aria-labelledby="facts-title">
            <h2 id="facts-title">The recurrence</h2>
            ${facts(recurrence)}
          </section>
          ${cycles(root, items, fields, pix.clock.now())}
        </div>
      </div>`,
  })
}
