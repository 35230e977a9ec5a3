import type { PlayOutcome } from "@pixcharge/core"
import type { AmountDue } from "@pixcharge/core/charges"
import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { randomUUID } from "node:crypto"
import { formats } from "./frame.ts"

export interface ChargeActions {
  readonly root: string
  readonly charge: PlainCharge
  readonly due: AmountDue
  readonly fields: Html
}

const reaisField = (id: string, label: string, cents: number): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <input id="${id}" name="amount" value="${(cents / 100).toFixed(2)}" inputmode="decimal" autocomplete="off" />
  </div>`

const endField = ({ dueDate }: PlainCharge): Html =>
  dueDate === undefined
    ? html`<div class="field">
        <label for="change-minutes">Payable for minutes since it was issued</label>
        <input id="change-minutes" name="minutes" inputmode="numeric" autocomplete="off" placeholder="unchanged" />
      </div>`
    : html`<div class="field">
        <label for="change-due">Due date</label>
        <input id="change-due" type="date" name="dueDate" value="${dueDate}" />
      </div>`

const change = ({ root, charge, fields }: ChargeActions): Html =>
  html`<form
    method="post"
    action="${root}console/charges/${charge.id}/change"
    class="card"
    aria-labelledby="change-title"
    data-busy
  >
    <h2 id="change-title">Change the charge</h2>
    ${fields}<input type="hidden" name="key" value="${randomUUID()}" />
    ${reaisField("change-amount", "Amount in reais", charge.amountCents)} ${endField(charge)}
    <button class="button button-small" id="do-change">Change the charge</button>
  </form>`

const outcomes: ReadonlyArray<readonly [PlayOutcome, string]> = [
  ["approved", "Pay"],
  ["paidTwice", "Pay twice"],
  ["paidLate", "Pay late"],
  ["declined", "Decline"],
  ["noticeLost", "Lose the notice"],
  ["timesOut", "Lose the answer"],
]

const pay = ({ root, charge, due, fields }: ChargeActions): Html =>
  html`<form
    method="post"
    action="${root}console/charges/${charge.id}/pay"
    class="card"
    aria-labelledby="pay-title"
    data-busy
  >
    <h2 id="pay-title">${charge.status === "paid" ? "Play the payer once more" : "Play the payer"}</h2>
    ${fields} ${reaisField("pay-amount", "Amount in reais", due.totalCents)}
    <div class="row">
      ${outcomes.map(
        ([outcome, text], index) =>
          html`<button
            class="button ${index === 0 ? "button-primary" : "button-small"}"
            name="outcome"
            value="${outcome}"
            id="pay-${outcome}"
          >
            ${text}
          </button>`,
      )}
    </div>
  </form>`

const time = ({ root, charge, fields }: ChargeActions): Html =>
  html`<form method="post" action="${root}console/clock" class="card" aria-labelledby="time-title" data-busy>
    <h2 id="time-title">Move the clock</h2>
    ${fields}<input type="hidden" name="charge" value="${charge.id}" />
    <div class="row">
      ${
        charge.dueDate !== undefined &&
        html`<button class="button button-small" name="to" value="pastDue" id="to-past-due">
          A day past the due date
        </button>`
      }
      ${
        charge.status === "pending" &&
        html`<button class="button button-small" name="to" value="expiry" id="to-expiry">To the expiry</button>`
      }
    </div>
  </form>`

const simple = ({ root, charge, fields }: ChargeActions, path: string, text: string): Html =>
  html`<form method="post" action="${root}console/charges/${charge.id}/${path}" data-busy>
    ${fields}<button class="button button-small" id="do-${path}">${text}</button>
  </form>`

const refund = (actions: ChargeActions): Html => {
  const { root, charge, fields } = actions
  return html`<section class="card" aria-labelledby="refund-title">
    <h2 id="refund-title">Return money</h2>
    ${simple(actions, "refund", `Return all ${formats.reais(charge.refundableCents)}`)}
    <form method="post" action="${root}console/charges/${charge.id}/refund-part" class="row row-end" data-busy>
      ${fields}<input type="hidden" name="key" value="${randomUUID()}" />
      ${reaisField("part-amount", "A part, in reais", Math.ceil(charge.refundableCents / 2))}
      <button class="button button-small" id="do-refund-part">Return the part</button>
    </form>
  </section>`
}

export const chargeActions = (actions: ChargeActions): Html => {
  const { status, refundableCents, dueDate, cycle } = actions.charge
  // The payer's bank debits the charge of a cycle.
  const isPayable = cycle === undefined && (status === "pending" || status === "expired" || status === "paid")
  return html`<div class="stack">
    ${isPayable && pay(actions)}
    ${cycle !== undefined && html`<p><a href="${actions.root}console/recurrences/${cycle.recurrenceId}">The recurrence of cycle ${cycle.cycle}</a></p>`}
    ${(status === "pending" || (status === "expired" && dueDate !== undefined)) && time(actions)}
    ${status === "pending" && cycle === undefined && change(actions)}
    ${status === "paid" && refundableCents > 0 && refund(actions)}
    ${
      (status === "pending" || status === "expired") &&
      html`<section class="card" aria-labelledby="cancel-title">
        <h2 id="cancel-title">Withdraw the charge</h2>
        ${simple(actions, "cancel", "Cancel the charge")}
      </section>`
    }
  </div>`
}
