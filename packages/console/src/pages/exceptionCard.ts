import type { PlainException } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import { formats } from "./frame.ts"

const reasons: Readonly<Record<PlainException["reason"], string>> = {
  furtherPayment: "The charge was already paid.",
  cancelledCharge: "The charge was cancelled.",
  unmatched: "No charge matches the payment.",
}

const tones: Readonly<Record<PlainException["status"], string>> = {
  open: "warn",
  refunding: "info",
  returned: "neutral",
  resolved: "good",
}

/** A payment that settled no charge, with the decisions about it while it is open. */
export const exceptionCard = (root: string, { payment, reason, status }: PlainException, fields: Html): Html => {
  const { amountCents, paidAt, endToEndId, chargeId } = payment
  const decide = (step: string, text: string) =>
    html`<form method="post" action="${root}console/exceptions/${endToEndId}/${step}" data-busy>
      ${fields}<button class="button button-small" id="${step}-${endToEndId}">${text}</button>
    </form>`
  return html`<section class="card" aria-labelledby="exception-${endToEndId}">
    <h2 id="exception-${endToEndId}">
      A payment that settled no charge <span class="badge" data-tone="${tones[status]}">${status}</span>
    </h2>
    <p>${reasons[reason]}</p>
    <dl class="facts">
      <dt>Paid</dt>
      <dd><span class="money">${formats.reais(amountCents)}</span> at ${formats.dateTime(paidAt)}</dd>
      <dt>endToEndId</dt>
      <dd class="mono">${endToEndId}</dd>
      ${
        chargeId !== undefined &&
        html`<dt>Charge</dt>
          <dd><a class="mono" href="${root}console/charges/${chargeId}">${chargeId}</a></dd>`
      }
    </dl>
    ${status === "open" && html`<div class="row">${decide("refund", "Return it")} ${decide("keep", "Keep it")}</div>`}
  </section>`
}
