import type { PlainCharge, PlainStoryEntry } from "@pixcharge/embed"
import { type Html, html, type HtmlChild } from "@pixcharge/web"
import type { Content } from "../../frame/Content.ts"
import type { View } from "../../frame/View.ts"
import { formats } from "../../parts/formats.ts"
import { brCodeCard } from "./brCodeCard.ts"
import { moneyFacts, payerFacts, termFacts } from "./chargeFacts.ts"
import { cancelPath, chargesCrumb, refundPath, sendPath } from "./chargePaths.ts"
import { debitSection } from "../recurrences/debitSection.ts"
import { findRetry, retryPath } from "../recurrences/findRetry.ts"
import { recurrenceTexts } from "../recurrences/recurrenceTexts.ts"
import { isCancellable } from "@pixcharge/core/recurrence"
import { chargeStatusBadge } from "./chargeStatusBadge.ts"
import { chargeTexts } from "./chargeTexts.ts"
import { payerPage } from "./payerPage.ts"
import { refundState } from "./refundState.ts"
import { chargeMoney } from "./chargeMoney.ts"
import { sendTexts } from "../issuing/issueTexts.ts"
import { waitingNotice } from "./waitingNotice.ts"
import { storyList } from "./storyList.ts"

const actions = (view: View, charge: PlainCharge): Html => {
  const { restCents, failedParts } = refundState(charge, view.now)
  const mayRefund = view.may("refund") && (restCents > 0 || failedParts.length > 0)
  const mayCancel = view.may("cancel") && charge._tag === "Pending" && isCancellable(charge, view.now)
  const maySend = view.may("issue") && charge.status === "pending" && charge.cycle === undefined
  const mayRetry = view.may("recurrences") && findRetry(charge, view.now) !== undefined
  const links: HtmlChild = [
    mayRefund &&
      html`<a class="button button-primary" href="${view.link(refundPath(charge.id))}">${chargeTexts.refund}</a>`,
    mayRetry &&
      html`<a class="button button-primary" href="${view.link(retryPath(charge.id))}">${recurrenceTexts.retry}</a>`,
    maySend && html`<a class="button button-quiet" href="${view.link(sendPath(charge.id))}">${sendTexts.title}</a>`,
    mayCancel &&
      html`<a class="button button-quiet" href="${view.link(cancelPath(charge.id))}">${chargeTexts.cancel}</a>`,
  ]
  return mayRefund || mayRetry || maySend || mayCancel ? html`<div class="row">${links}</div>` : html``
}

const failureNotice = (charge: PlainCharge): HtmlChild =>
  charge._tag === "Paid" &&
  charge.failedRefund !== undefined &&
  html`<p class="notice" data-tone="bad">${chargeTexts.failedRefund}</p>`

/** The code of a charge that can be paid: the first thing that its operator wants. */
const codeSection = async (view: View, charge: PlainCharge): Promise<Awaited<Html>> =>
  charge.status === "pending" && charge.brCode !== undefined
    ? html`${brCodeCard(charge.brCode, await payerPage(view, charge))}`
    : html``

const isOfDelivery = ({ kind }: PlainStoryEntry): boolean => kind === "event" || kind === "attempt"

/** What happened to the charge, and apart from it how its events were sent. */
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

/** A charge with its whole story. The payer is masked unless the look was recorded. */
export const chargePage = async (view: View, id: string, { isPayerShown = false } = {}): Promise<Content> => {
  const story = await view.pix.story(view.company, id)
  const { charge, entries, isCut } = story
  return {
    title: chargeTexts.title(formats.reais(charge.amountCents)),
    badge: chargeStatusBadge(charge),
    crumbs: [chargesCrumb],
    ...(!isPayerShown && { shown: story }),
    body: html`${failureNotice(charge)} ${waitingNotice(chargeMoney(charge).returningCents)} ${actions(view, charge)}
      ${codeSection(view, charge)} ${debitSection(view, charge)}
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
      ${storySection(view, entries, isCut)}`,
  }
}
