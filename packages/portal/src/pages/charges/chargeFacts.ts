import { brasiliaDate } from "@pixcharge/core/calendar"
import { amountDueOn } from "@pixcharge/core/charges"
import type { PlainCharge } from "@pixcharge/embed"
import { formatTaxId, type Html, html, type HtmlChild } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { facts } from "../../parts/facts.ts"
import { formats } from "../../parts/formats.ts"
import { maskPayer } from "../../parts/maskPayer.ts"
import { chargeMoney } from "./chargeMoney.ts"
import { payerPath } from "./chargePaths.ts"
import { chargeTexts } from "./chargeTexts.ts"

const code = (text: string): Html => html`<span class="mono">${text}</span>`
const money = (cents: number): Html => html`<span class="money">${formats.reais(cents)}</span>`
const moneyIfAny = (cents: number): HtmlChild => cents > 0 && money(cents)

const paidText = (charge: PlainCharge): HtmlChild => {
  if (!("payment" in charge)) return undefined
  const { paidAt, late, otherAmount } = charge.payment
  const remarks = [late && chargeTexts.late, otherAmount && chargeTexts.otherAmount].filter(
    (remark) => remark !== false,
  )
  return html`${formats.dateTime(paidAt)}
  ${remarks.length > 0 && html`<small class="muted">(${remarks.join("; ")})</small>`}`
}

/** What its payer would pay today, where that isn't its amount: with fine and interest, or with what is taken off. */
const dueFacts = (charge: PlainCharge, now: number): ReadonlyArray<readonly [string, HtmlChild]> => {
  if (charge.status !== "pending") return []
  const { totalCents, fineCents, interestCents, abatementCents, discountCents } = amountDueOn(charge, brasiliaDate(now))
  return [
    [chargeTexts.abatement, moneyIfAny(abatementCents)],
    [chargeTexts.discount, moneyIfAny(discountCents)],
    [chargeTexts.fine, moneyIfAny(fineCents)],
    [chargeTexts.interest, moneyIfAny(interestCents)],
    [chargeTexts.dueToday, totalCents !== charge.amountCents && html`<strong>${money(totalCents)}</strong>`],
  ]
}

/** The amounts: charged, due, paid and returned. */
export const moneyFacts = (charge: PlainCharge, now: number): Html => {
  const { paidCents, returnedCents, returningCents } = chargeMoney(charge)
  return facts([
    [chargeTexts.amount, money(charge.amountCents)],
    ...dueFacts(charge, now),
    [chargeTexts.paid, paidCents !== undefined && money(paidCents)],
    [chargeTexts.paidAt, paidText(charge)],
    [chargeTexts.returned, moneyIfAny(returnedCents)],
    [chargeTexts.returning, moneyIfAny(returningCents)],
    [chargeTexts.rest, moneyIfAny(charge.refundableCents)],
    [chargeTexts.refundedAt, charge._tag === "Refunded" && formats.dateTime(charge.refundedAt)],
    [chargeTexts.cancelledAt, charge._tag === "Cancelled" && formats.dateTime(charge.cancelledAt)],
  ])
}

/** Its dates and ids. */
export const termFacts = (charge: PlainCharge): Html =>
  facts([
    [chargeTexts.createdAt, formats.dateTime(charge.createdAt)],
    [chargeTexts.dueDate, charge.dueDate && formats.day(charge.dueDate)],
    [chargeTexts.payableUntil, formats.dateTime(charge.payableUntil)],
    [chargeTexts.id, code(charge.id)],
    [chargeTexts.txid, code(charge.txid)],
    [chargeTexts.transactionId, code(charge.transactionId)],
    [chargeTexts.endToEndId, "payment" in charge && code(charge.payment.endToEndId)],
  ])

/** The form that shows the payer's name and document, for operators with the right. */
const showForm = (view: View, id: string): HtmlChild =>
  view.may("payers") &&
  html`<form class="stack portal-ask" method="post" action="${view.link(payerPath(id))}">
    ${view.formFields()}
    <button class="button button-small" aria-describedby="payer-hint">${chargeTexts.showPayer}</button>
    <p class="hint" id="payer-hint">${chargeTexts.showPayerHint}</p>
  </form>`

/** The texts that the payer's bank shows. They may name the payer, so they are hidden along with the name. */
const shownTexts = ({
  messageToPayer,
  additionalInfo = [],
}: PlainCharge): ReadonlyArray<readonly [string, HtmlChild]> => [
  [chargeTexts.message, messageToPayer],
  ...additionalInfo.map(({ name, value }) => [name, value] as const),
]

const erasedText = ({ payerErasedAt }: PlainCharge): string =>
  payerErasedAt === undefined ? chargeTexts.noPayer : chargeTexts.erasedPayer(formats.moment(payerErasedAt))

/** The payer, masked unless the look was recorded. */
export const payerFacts = (view: View, charge: PlainCharge, isShown: boolean): Html => {
  const { payer } = charge
  if (payer === undefined) return facts([[chargeTexts.payer, erasedText(charge)]])
  if (!isShown) {
    return html`${facts([[chargeTexts.payer, maskPayer(payer)]])} ${showForm(view, charge.id)}`
  }
  return html`<p class="notice" data-tone="info">${chargeTexts.payerShown}</p>
    ${facts([[chargeTexts.payer, `${payer.name} · ${formatTaxId(payer.taxId)}`], ...shownTexts(charge)])}`
}
