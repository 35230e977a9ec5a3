import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply, raw } from "@pixcharge/web"
import { checkoutCss, recurrenceJs } from "../assets.ts"
import type { LinkRequest } from "../link/Capability.ts"
import { brandedHead, brandMark, findLinks, pageTools, type ShopFace } from "./pageParts.ts"
import {
  type CheckoutParts,
  formatCnpj,
  heading,
  linksBelow,
  paidMark,
  renderPayable,
  titleHeading,
  type ViewContext,
} from "../view/ViewParts.ts"
import { checkoutFrame } from "../view/checkoutFrame.ts"
import { type Markup, markup } from "../view/markup.ts"
import type { SeenTerms } from "../view/seenTerms.ts"
import { texts } from "../view/texts.ts"
import type { RecurrenceSnapshot } from "../snapshot/RecurrenceSnapshot.ts"
import type { RecurrenceState } from "../hub/RecurrenceState.ts"
import { recurrenceTexts } from "./recurrenceTexts.ts"

type Formats = ViewContext["formats"]

const recurrenceTitle = ({ status, end = "ended", by, payment }: RecurrenceSnapshot): string => {
  switch (status) {
    case "preparing":
      return recurrenceTexts.preparing
    case "offered":
      if (by === "bank") return recurrenceTexts.inApp
      return payment?.status === "payable" ? recurrenceTexts.payFirst : recurrenceTexts.offered
    case "approved":
      return recurrenceTexts.approved
    case "ended":
      return recurrenceTexts.ends[end].title
  }
}

const eachCycle = ({ amountCents, period }: RecurrenceSnapshot, { reais }: Formats): string =>
  amountCents === undefined
    ? `${recurrenceTexts.perPeriod[period]}, ${recurrenceTexts.variable}`
    : `${reais(amountCents)} ${recurrenceTexts.perPeriod[period]}`

const statusText = ({ status, end = "ended", payment }: RecurrenceSnapshot): string => {
  switch (status) {
    case "preparing":
      return recurrenceTexts.waitingBank
    case "offered":
      if (payment === undefined) return recurrenceTexts.waiting
      return {
        payable: recurrenceTexts.waitingPayment,
        paid: recurrenceTexts.paidNotApproved,
        closed: recurrenceTexts.closed,
      }[payment.status]
    case "approved":
      if (payment?.status === "payable") return recurrenceTexts.toPayStill
      return payment?.status === "paid"
        ? `${recurrenceTexts.paid} ${recurrenceTexts.authorized}`
        : recurrenceTexts.authorized
    case "ended":
      return payment?.status === "paid"
        ? `${recurrenceTexts.paid} ${recurrenceTexts.ends[end].text}`
        : recurrenceTexts.ends[end].text
  }
}

const amountLine = (label: string, amount: string): Markup =>
  markup`<p class="amount"><span>${label}</span> <strong>${amount}</strong></p>`

const amounts = (shown: RecurrenceSnapshot, formats: Formats): Markup => {
  const each = eachCycle(shown, formats)
  const { payment } = shown
  return payment?.status === "payable"
    ? markup`${amountLine(recurrenceTexts.now, formats.reais(payment.amountCents))}<p class="about">${recurrenceTexts.after(each)}</p>`
    : amountLine(recurrenceTexts.each, each)
}

const renderHead = (shown: RecurrenceSnapshot, { formats, isEmbedded }: ViewContext): Markup => {
  const { status, payeeName, payeeTaxId, title } = shown
  return markup`${status === "approved" && paidMark}${titleHeading(isEmbedded, recurrenceTitle(shown))}
<p class="about">${title}</p>
${amounts(shown, formats)}
<p class="payee"><span>${texts.payee}</span> <strong>${payeeName}</strong> <span>CNPJ ${formatCnpj(payeeTaxId)}</span></p>`
}

const stepList = (steps: ReadonlyArray<string>): Markup =>
  markup`<section class="steps">${heading(2, recurrenceTexts.howTitle)}<ol>${steps.map((step) => markup`<li>${step}</li>`)}</ol></section>`

const renderMain = ({ brCode, status, by }: RecurrenceSnapshot, context: ViewContext): Markup => {
  if (brCode !== undefined)
    return status === "approved"
      ? renderPayable(brCode, context)
      : renderPayable(brCode, context, { title: recurrenceTexts.howTitle, steps: recurrenceTexts.steps })
  return status === "offered" && by === "bank" ? stepList(recurrenceTexts.stepsInApp) : markup``
}

const row = (name: string, value: string | undefined): Markup | false =>
  value !== undefined && markup`<div><dt>${name}</dt><dd>${value}</dd></div>`

const renderDetails = (shown: RecurrenceSnapshot, { formats }: ViewContext): Markup => {
  const { startDate, endDate, floorCents, retries, requestUntil, payment, status } = shown
  const { day, moment, reais } = formats
  const isOpen = status !== "ended"
  const isPayable = payment?.status === "payable" && isOpen
  return markup`<dl>${[
    row(texts.dueDate, isPayable && payment.dueDate !== undefined ? day(payment.dueDate) : undefined),
    row(texts.payableUntil, isPayable ? texts.brasilia(moment(payment.payableUntil)) : undefined),
    row(
      recurrenceTexts.requestUntil,
      status === "offered" && requestUntil !== undefined ? texts.brasilia(moment(requestUntil)) : undefined,
    ),
    row(recurrenceTexts.firstDay, day(startDate)),
    row(recurrenceTexts.lastDay, endDate && day(endDate)),
    row(recurrenceTexts.floor, floorCents === undefined ? undefined : reais(floorCents)),
    row(recurrenceTexts.retries, retries === "none" ? undefined : recurrenceTexts.retriesText),
    row(recurrenceTexts.cancel, isOpen ? recurrenceTexts.cancelText : undefined),
  ]}</dl>`
}

const recurrenceParts = (shown: RecurrenceSnapshot, context: ViewContext): CheckoutParts => ({
  head: renderHead(shown, context),
  status: markup`${statusText(shown)}`,
  clock: markup``,
  warning: markup``,
  main: renderMain(shown, context),
  details: renderDetails(shown, context),
})

const looks = {
  preparing: "pending",
  offered: "pending",
  approved: "paid",
  ended: "cancelled",
} as const satisfies Readonly<Record<RecurrenceSnapshot["status"], string>>

/** Without the code, which also changes when the payer authorises. */
const payableTerms = ({ payment }: RecurrenceSnapshot): SeenTerms | undefined =>
  payment?.status === "payable" ? payment : undefined

/** The page is complete without a script. */
export const recurrencePage = ({ exchange }: LinkRequest, shop: ShopFace, found: RecurrenceState): Promise<Reply> => {
  const { root, link } = findLinks(exchange)
  const { id, snapshot } = found
  const context = { formats: formatsFor("pt-BR"), links: linksBelow(link), isEmbedded: false, isLive: false } as const
  const shopName = shop.branding.name ?? snapshot.payeeName
  const title = [recurrenceTitle(snapshot), snapshot.title, shopName].join(" · ")
  const view = checkoutFrame(
    recurrenceParts(snapshot, context),
    { id, status: looks[snapshot.status] },
    {
      terms: payableTerms(snapshot),
      top: brandMark(shop, link, snapshot.payeeName),
      between:
        !snapshot.isFinal &&
        markup`<noscript><p class="reload"><a href="${link}">${recurrenceTexts.reload}</a></p></noscript>`,
      bottom: pageTools(shop),
    },
  )
  return pageReply({
    title,
    lang: "pt-BR",
    root,
    head: brandedHead(shop, link, { title, text: eachCycle(snapshot, context.formats), shopName, path: "" }),
    styles: [checkoutCss],
    scripts: [recurrenceJs],
    body: html`<main class="checkout" data-recurrence="${link}">${raw(view.text)}</main>`,
  })
}
