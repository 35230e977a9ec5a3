import type { PlainCharge, PlainPartialRefund } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { Content, Crumb } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { confirmation } from "../../parts/confirmation.ts"
import { facts } from "../../parts/facts.ts"
import { field } from "../../parts/field.ts"
import { formats } from "../../parts/formats.ts"
import { reasonField, type ReasonToCorrect } from "../../parts/reasonField.ts"
import { maskPayer } from "../../parts/maskPayer.ts"
import { chargeMoney } from "./chargeMoney.ts"
import { chargePath, chargesCrumb, refundPath } from "./chargePaths.ts"
import { chargeTexts, refundTexts } from "./chargeTexts.ts"
import { amountField, everything, type OrderFlaw, orderFields, partField, type RefundOrder } from "./refundOrder.ts"
import type { FailedPart, RefundState } from "./refundState.ts"

const makeCrumbs = ({ id, amountCents }: PlainCharge): ReadonlyArray<Crumb> => [
  chargesCrumb,
  { title: chargeTexts.title(formats.reais(amountCents)), path: chargePath(id) },
]

const payerText = ({ payer }: PlainCharge): string => (payer === undefined ? chargeTexts.noPayer : maskPayer(payer))

const flawText = (flaw: OrderFlaw, { restCents }: RefundState): string =>
  flaw === "tooMuch" ? refundTexts.tooMuch(formats.reais(restCents)) : refundTexts.noAmount

const amountForm = (view: View, charge: PlainCharge, state: RefundState, typed: string, flaw?: OrderFlaw): Html =>
  html`<form class="card stack" method="get" action="${view.link(refundPath(charge.id))}">
    <h2>${refundTexts.part}</h2>
    ${field(
      {
        name: amountField,
        label: refundTexts.amount,
        hint: refundTexts.amountHint(formats.reais(state.restCents)),
        problem: flaw && { field: amountField, text: flawText(flaw, state) },
      },
      (attributes) =>
        html`<input type="text" inputmode="decimal" autocomplete="off" required ${attributes} value="${typed}" />`,
    )}
    <div class="row"><button class="button">${refundTexts.next}</button></div>
  </form>`

const failedPartRow = (view: View, { id }: PlainCharge, { at, part }: FailedPart): Html => {
  const what = refundTexts.failedPart(formats.reais(part.amountCents), formats.moment(part.requestedAt))
  return html`<li class="row">
    <span>${what}</span>
    <a class="button" href="${view.link(refundPath(id))}?${partField}=${at}"
      >${refundTexts.again}<span class="visually-hidden">: ${what}</span></a
    >
  </li>`
}

const failedPartList = (view: View, charge: PlainCharge, { failedParts }: RefundState): Html =>
  failedParts.length === 0
    ? html``
    : html`<section class="card stack">
        <h2>${refundTexts.failedParts}</h2>
        <ul class="stack portal-plain">
          ${failedParts.map((part) => failedPartRow(view, charge, part))}
        </ul>
      </section>`

/** What the page shows of an order before. */
interface Before {
  readonly typed?: string
  readonly flaw?: OrderFlaw
  /** A part that was requested already: its confirmation was opened again. */
  readonly requested?: PlainPartialRefund
}

/** The page that asks for the amount. */
export const refundPage = (
  view: View,
  charge: PlainCharge,
  state: RefundState,
  { typed = "", flaw, requested }: Before = {},
): Content => {
  const { restCents, blocked } = state
  const { refundableUntil = 0 } = chargeMoney(charge)
  const choices = html`<p>${refundTexts.window(formats.moment(refundableUntil))}</p>
    <p>
      <a class="button button-primary" href="${view.link(refundPath(charge.id))}?${amountField}=${everything}"
        >${refundTexts.all(formats.reais(restCents))}</a
      >
    </p>
    ${amountForm(view, charge, state, typed, flaw)}`
  return {
    title: refundTexts.title,
    crumbs: makeCrumbs(charge),
    ...(flaw !== undefined && { status: 422 }),
    body: html`${
      requested &&
      html`<p class="notice" data-tone="info">${refundTexts.requested(formats.reais(requested.amountCents))}</p>`
    }
    ${blocked === undefined ? choices : html`<p class="notice" data-tone="warn">${blocked}</p>`}
    ${failedPartList(view, charge, state)}`,
  }
}

/** The page that confirms a refund; `key` is the key of a part, or of a form to correct. */
export const confirmRefundPage = (
  view: View,
  charge: PlainCharge,
  order: RefundOrder,
  key?: string,
  wrong?: ReasonToCorrect,
): Content => {
  const amount = formats.reais(order.amountCents)
  const { paidCents = 0, returnedCents, returningCents } = chargeMoney(charge)
  const restAfter = paidCents - returnedCents - returningCents - order.amountCents
  const body = html`<p>${refundTexts.ask(amount)}</p>
    ${facts([
      [refundTexts.amount, html`<strong class="money">${amount}</strong>`],
      [refundTexts.restAfter, html`<span class="money">${formats.reais(restAfter)}</span>`],
      [chargeTexts.payer, payerText(charge)],
      [chargeTexts.id, html`<span class="mono">${charge.id}</span>`],
    ])}
    ${reasonField(wrong)}`
  const back = refundPath(charge.id)
  const form = {
    body,
    path: back,
    values: orderFields(order),
    ...(key !== undefined && { key }),
    submit: refundTexts.submit(amount),
    isDangerous: true,
    back,
  }
  return {
    title: refundTexts.confirmTitle,
    ...(wrong !== undefined && { status: 422 }),
    crumbs: [...makeCrumbs(charge), { title: refundTexts.title, path: back }],
    body: confirmation(view, form),
  }
}
