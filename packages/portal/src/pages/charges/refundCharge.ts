import type { PlainCharge, PlainPartialRefund, RefundInput } from "@pixcharge/embed"
import { type Html, html, redirectReply } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { ActionView, Content, Crumb, Outcome, View } from "../../frame/View.ts"
import { isActionKey } from "../../frame/makeView.ts"
import { confirmation, facts } from "../../parts/elements.ts"
import { field, readReason, reasonField, type ReasonToCorrect } from "../../parts/field.ts"
import { formats, maskPayer } from "../../parts/formats.ts"
import { chargeMoney } from "./chargeParts.ts"
import { chargePath, chargesCrumb, chargeTexts, refundPath } from "./chargeTexts.ts"
import {
  amountField,
  confirmedOrder,
  everything,
  type FailedPart,
  orderFields,
  type OrderFlaw,
  orderKeyField,
  partField,
  readRefundOrder,
  type RefundOrder,
  type RefundState,
  refundState,
  refundTexts,
} from "./refundOrder.ts"

const makeCrumbs = ({ id, amountCents }: PlainCharge): ReadonlyArray<Crumb> => [
  chargesCrumb,
  { title: chargeTexts.title(formats.reais(amountCents)), path: chargePath(id) },
]

const payerText = ({ payer }: PlainCharge): string => (payer === undefined ? chargeTexts.noPayer : maskPayer(payer))

const flawText = (flaw: OrderFlaw, { restCents }: RefundState): string =>
  flaw === "tooMuch" ? refundTexts.tooMuch(formats.reais(restCents)) : refundTexts.noAmount

interface Before {
  readonly typed?: string
  readonly flaw?: OrderFlaw
  /** The part that was already requested under the key of the address. */
  readonly requested?: PlainPartialRefund
}

const amountForm = (view: View, charge: PlainCharge, state: RefundState, { typed = "", flaw }: Before): Html =>
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

const failedPartRow = (view: View, { id }: PlainCharge, { index, part }: FailedPart): Html => {
  const what = refundTexts.failedPart(formats.reais(part.amountCents), formats.moment(part.requestedAt))
  return html`<li class="row">
    <span>${what}</span>
    <a class="button" href="${view.link(refundPath(id))}?${partField}=${index}"
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

const refundPage = (view: View, charge: PlainCharge, state: RefundState, before: Before = {}): Content => {
  const { flaw, requested } = before
  const { restCents, blocked } = state
  const { refundableUntil = 0 } = chargeMoney(charge)
  const choices = html`<p>${refundTexts.window(formats.moment(refundableUntil))}</p>
    <p>
      <a class="button button-primary" href="${view.link(refundPath(charge.id))}?${amountField}=${everything}"
        >${refundTexts.all(formats.reais(restCents))}</a
      >
    </p>
    ${amountForm(view, charge, state, before)}`
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

interface ConfirmForm {
  readonly order: RefundOrder
  /** The key of the form; default: a new key. */
  readonly key?: string
  readonly wrong?: ReasonToCorrect
}

const confirmRefundPage = (view: View, charge: PlainCharge, { order, key, wrong }: ConfirmForm): Content => {
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

const options = { right: "refund", section: "charges" } as const
const path = "/cobrancas/:id/devolver"

const addressWithKey = ({ link, params, query }: View<typeof path>): string => {
  const search = new URLSearchParams(query)
  search.set(orderKeyField, crypto.randomUUID())
  return `${link(refundPath(params.id))}?${search.toString()}`
}

const requestRefund = async (
  view: ActionView,
  { id }: PlainCharge,
  order: RefundOrder,
  reason: RefundInput,
): Promise<boolean> => {
  const { as, company, actionKey } = view
  if (order._tag === "Whole") return (await as.refund(company, id, reason)).status === "refunded"
  // A form that is sent twice has the same key in every process, so the money is returned once.
  const key = order._tag === "Again" ? order.key : actionKey
  const { partialRefund } = await as.refundPart(company, id, { key, amountCents: order.amountCents, ...reason })
  return partialRefund.status === "returned"
}

export const refundRoutes: ReadonlyArray<PortalRoute> = [
  page(path, options, async (view) => {
    const charge = await view.pix.find(view.company, view.params.id)
    const state = refundState(charge, view.now)
    const [amount, part] = [view.query.get(amountField), view.query.get(partField)]
    if (amount === null && part === null) return refundPage(view, charge, state)
    const key = view.query.get(orderKeyField) ?? ""
    const requested = charge.partialRefunds?.find((each) => each.key === key)
    if (requested !== undefined) return refundPage(view, charge, state, { requested })
    const order = readRefundOrder(state, amount, part)
    if (typeof order === "string") return refundPage(view, charge, state, { typed: amount ?? "", flaw: order })
    if (order._tag !== "Part") return confirmRefundPage(view, charge, { order })
    // The key is in the address, so the form has the same key after the browser's back button.
    return isActionKey(key) ? confirmRefundPage(view, charge, { order, key }) : redirectReply(addressWithKey(view))
  }),
  action(path, options, async (view, form): Promise<Outcome> => {
    const charge = await view.pix.find(view.company, view.params.id)
    const state = refundState(charge, view.now)
    const order = confirmedOrder(form, state)
    if (order === undefined) return { correct: (again) => refundPage(again, charge, state, { flaw: "noAmount" }) }
    const reason = readReason(form)
    if ("problem" in reason) {
      return { correct: (again) => confirmRefundPage(again, charge, { order, key: view.actionKey, wrong: reason }) }
    }
    const isDone = await requestRefund(view, charge, order, reason)
    return { to: chargePath(charge.id), notice: isDone ? "refundDone" : "refundRequested" }
  }),
]
