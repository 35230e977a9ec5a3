import { brasiliaDate } from "@pixcharge/core/calendar"
import { amountDueOn } from "@pixcharge/core/charges"
import { legibleText } from "@pixcharge/core/internal"
import { isCancellable } from "@pixcharge/core/recurrence"
import type { PlainCharge, PlainStoryEntry } from "@pixcharge/embed"
import { formatTaxId, type Html, html, type HtmlChild } from "@pixcharge/web"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { facts } from "../../parts/elements.ts"
import { formatAddress, formats, maskPayer } from "../../parts/formats.ts"
import { debitSection, findRetry, retryPath } from "../recurrences/debit.ts"
import { recurrenceTexts } from "../recurrences/recurrenceTexts.ts"
import { brCodeCard, chargeMoney, chargeStatusBadge, payerPage, waitingNotice } from "./chargeParts.ts"
import { changeNotice, termsSection } from "./chargeTerms.ts"
import { feeTerms } from "./feeTerms.ts"
import { storyList } from "./chargeStory.ts"
import { cancelPath, changePath, chargesCrumb, chargeTexts, payerPath, refundPath, sendPath } from "./chargeTexts.ts"
import { refundState } from "./refundOrder.ts"
import { sendTexts } from "./sendCharge.ts"

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

const metadataList = ({ metadata }: PlainCharge): HtmlChild =>
  metadata && facts(Object.entries(metadata).map(([name, value]) => [name, legibleText(value)]))

const termFacts = (charge: PlainCharge): Html =>
  facts([
    [chargeTexts.reference, charge.reference],
    [chargeTexts.createdAt, formats.dateTime(charge.createdAt)],
    [chargeTexts.dueDate, charge.dueDate && formats.day(charge.dueDate)],
    [chargeTexts.payableUntil, formats.dateTime(charge.payableUntil)],
    ...feeTerms(charge),
    [chargeTexts.id, code(charge.id)],
    [chargeTexts.txid, code(charge.txid)],
    [chargeTexts.transactionId, code(charge.transactionId)],
    [chargeTexts.endToEndId, "payment" in charge && code(charge.payment.endToEndId)],
    [chargeTexts.metadata, metadataList(charge)],
  ])

const showForm = (view: View, id: string): HtmlChild =>
  view.may("payers") &&
  html`<form class="stack portal-ask" method="post" action="${view.link(payerPath(id))}">
    ${view.formFields()}
    <button class="button button-small" aria-describedby="payer-hint">${chargeTexts.showPayer}</button>
    <p class="hint" id="payer-hint">${chargeTexts.showPayerHint}</p>
  </form>`

/** The charge's texts. They can name the payer, so they are hidden together with the payer's name. */
const shownTexts = ({
  messageToPayer,
  additionalInfo = [],
}: PlainCharge): ReadonlyArray<readonly [string, HtmlChild]> => [
  [chargeTexts.message, messageToPayer],
  ...additionalInfo.map(({ name, value }) => [name, value] as const),
]

const erasedText = ({ payerErasedAt }: PlainCharge): string =>
  payerErasedAt === undefined ? chargeTexts.noPayer : chargeTexts.erasedPayer(formats.moment(payerErasedAt))

const payerFacts = (view: View, charge: PlainCharge, isShown: boolean): Html => {
  const { payer } = charge
  if (payer === undefined) return facts([[chargeTexts.payer, erasedText(charge)]])
  if (!isShown) {
    return html`${facts([[chargeTexts.payer, maskPayer(payer)]])} ${showForm(view, charge.id)}`
  }
  return html`<p class="notice" data-tone="info">${chargeTexts.payerShown}</p>
    ${facts([
      [chargeTexts.payer, `${payer.name} · ${formatTaxId(payer.taxId)}`],
      [chargeTexts.email, payer.email],
      [chargeTexts.address, payer.address && formatAddress(payer.address)],
      ...shownTexts(charge),
    ])}`
}

const actions = (view: View, charge: PlainCharge): Html => {
  const { restCents, failedParts } = refundState(charge, view.now)
  const mayRefund = view.may("refund") && (restCents > 0 || failedParts.length > 0)
  const mayCancel = view.may("cancel") && charge._tag === "Pending" && isCancellable(charge, view.now)
  const maySend = view.may("issue") && charge.status === "pending" && charge.cycle === undefined
  const mayChange = view.may("changeCharge") && charge.status === "pending" && charge.cycle === undefined
  const mayRetry = view.may("recurrences") && findRetry(charge, view.now) !== undefined
  const links: HtmlChild = [
    mayRefund &&
      html`<a class="button button-primary" href="${view.link(refundPath(charge.id))}">${chargeTexts.refund}</a>`,
    mayRetry &&
      html`<a class="button button-primary" href="${view.link(retryPath(charge.id))}">${recurrenceTexts.retry}</a>`,
    maySend && html`<a class="button button-quiet" href="${view.link(sendPath(charge.id))}">${sendTexts.title}</a>`,
    mayChange &&
      html`<a class="button button-quiet" href="${view.link(changePath(charge.id))}">${chargeTexts.change}</a>`,
    mayCancel &&
      html`<a class="button button-quiet" href="${view.link(cancelPath(charge.id))}">${chargeTexts.cancel}</a>`,
  ]
  return mayRefund || mayRetry || maySend || mayChange || mayCancel ? html`<div class="row">${links}</div>` : html``
}

const failureNotice = (charge: PlainCharge): HtmlChild =>
  charge._tag === "Paid" &&
  charge.failedRefund !== undefined &&
  html`<p class="notice" data-tone="bad">${chargeTexts.failedRefund}</p>`

const codeSection = async (view: View, charge: PlainCharge): Promise<Awaited<Html>> =>
  charge.status === "pending" && charge.brCode !== undefined
    ? html`${brCodeCard(charge.brCode, await payerPage(view, charge))}`
    : html``

const isOfDelivery = ({ kind }: PlainStoryEntry): boolean => kind === "event" || kind === "attempt"

const storySection = (view: View, entries: ReadonlyArray<PlainStoryEntry>, isCut: boolean): Html => {
  const deliveries = entries.filter(isOfDelivery)
  return html`<section class="card stack" aria-labelledby="story-heading">
    <h2 id="story-heading">${chargeTexts.story}</h2>
    ${isCut && html`<p class="hint">${chargeTexts.storyCut}</p>`}
    ${storyList(
      view,
      entries.filter((entry) => !isOfDelivery(entry)),
    )}
    ${
      deliveries.length > 0 &&
      html`<details>
        <summary>${chargeTexts.deliveries(deliveries.length)}</summary>
        ${storyList(view, deliveries)}
      </details>`
    }
  </section>`
}

/** The page of a charge. The payer is masked unless `isPayerShown`, which requires an audit record. */
const chargePage = async (view: View, id: string, { isPayerShown = false } = {}): Promise<Content> => {
  const story = await view.pix.story(view.company, id)
  const { charge, entries, isCut } = story
  return {
    title: chargeTexts.title(formats.reais(charge.amountCents)),
    badge: chargeStatusBadge(charge),
    crumbs: [chargesCrumb],
    ...(!isPayerShown && { shown: story }),
    body: html`${failureNotice(charge)} ${waitingNotice(chargeMoney(charge).returningCents)} ${changeNotice(charge)}
      ${actions(view, charge)} ${codeSection(view, charge)} ${debitSection(view, charge)}
      <div class="grid">
        <section class="card stack" aria-labelledby="money-heading">
          <h2 id="money-heading">${chargeTexts.money}</h2>
          ${moneyFacts(charge, view.now)}
        </section>
        <section class="card stack" aria-labelledby="payer-heading">
          <h2 id="payer-heading">${chargeTexts.payer}</h2>
          ${payerFacts(view, charge, isPayerShown)}
        </section>
      </div>
      <section class="card stack" aria-labelledby="facts-heading">
        <h2 id="facts-heading">${chargeTexts.facts}</h2>
        ${termFacts(charge)}
      </section>
      ${termsSection(charge)} ${storySection(view, entries, isCut)}`,
  }
}

const section = "charges"

export const chargePageRoutes: ReadonlyArray<PortalRoute> = [
  page("/cobrancas/:id", { section }, (view) => chargePage(view, view.params.id), {
    everyMs: 2_000,
    look: ({ pix, company, params }) => pix.story(company, params.id),
  }),
  action("/cobrancas/:id/pagador", { right: "payers", section }, async ({ as, company, params }) => {
    await as.payers.show(company, params.id)
    // A page instead of a redirect, because a second visit to a redirect's address would show the payer without an audit record.
    return { page: (view) => chargePage(view, params.id, { isPayerShown: true }) }
  }),
]
