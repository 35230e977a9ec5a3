import { heading, titleHeading } from "../view/heading.ts"
import { formatCnpj } from "../view/formatCnpj.ts"
import { type Markup, markup } from "../view/markup.ts"
import { renderPayable } from "../view/renderPayable.ts"
import { paidMark } from "../view/paidMark.ts"
import { texts } from "../view/texts.ts"
import type { CheckoutParts, ViewContext } from "../view/ViewParts.ts"
import type { RecurrenceSnapshot } from "./RecurrenceSnapshot.ts"
import { recurrenceTexts as own } from "./recurrenceTexts.ts"

type Formats = ViewContext["formats"]

/** The page's heading. */
export const recurrenceTitle = ({ status, end = "ended", by, payment }: RecurrenceSnapshot): string => {
  switch (status) {
    case "preparing":
      return own.preparing
    case "offered":
      if (by === "bank") return own.inApp
      return payment?.status === "payable" ? own.payFirst : own.offered
    case "approved":
      return own.approved
    case "ended":
      return own.ends[end][0]
  }
}

/** `R$ 49,90 por mês`. */
export const eachCycle = ({ amountCents, period }: RecurrenceSnapshot, { reais }: Formats): string =>
  amountCents === undefined
    ? `${own.perPeriod[period]}, ${own.variable}`
    : `${reais(amountCents)} ${own.perPeriod[period]}`

const statusText = ({ status, end = "ended", payment }: RecurrenceSnapshot): string => {
  switch (status) {
    case "preparing":
      return own.waitingBank
    case "offered":
      if (payment === undefined) return own.waiting
      return { payable: own.waitingPayment, paid: own.paidNotApproved, closed: own.closed }[payment.status]
    case "approved":
      if (payment?.status === "payable") return own.toPayStill
      return payment?.status === "paid" ? `${own.paid} ${own.authorized}` : own.authorized
    case "ended":
      return payment?.status === "paid" ? `${own.paid} ${own.ends[end][1]}` : own.ends[end][1]
  }
}

const amountLine = (label: string, amount: string): Markup =>
  markup`<p class="amount"><span>${label}</span> <strong>${amount}</strong></p>`

const amounts = (shown: RecurrenceSnapshot, formats: Formats): Markup => {
  const each = eachCycle(shown, formats)
  const { payment } = shown
  return payment?.status === "payable"
    ? markup`${amountLine(own.now, formats.reais(payment.amountCents))}<p class="about">${own.after(each)}</p>`
    : amountLine(own.each, each)
}

const renderHead = (shown: RecurrenceSnapshot, { formats, isEmbedded }: ViewContext): Markup => {
  const { status, payeeName, payeeTaxId, title } = shown
  return markup`${status === "approved" && paidMark}${titleHeading(isEmbedded, recurrenceTitle(shown))}
<p class="about">${title}</p>
${amounts(shown, formats)}
<p class="payee"><span>${texts.payee}</span> <strong>${payeeName}</strong> <span>CNPJ ${formatCnpj(payeeTaxId)}</span></p>`
}

const stepList = (steps: ReadonlyArray<string>): Markup =>
  markup`<section class="steps">${heading(2, own.howTitle)}<ol>${steps.map((step) => markup`<li>${step}</li>`)}</ol></section>`

const renderMain = ({ brCode, status, by }: RecurrenceSnapshot, context: ViewContext): Markup => {
  if (brCode !== undefined)
    return status === "approved"
      ? renderPayable(brCode, context)
      : renderPayable(brCode, context, { title: own.howTitle, steps: own.steps })
  return status === "offered" && by === "bank" ? stepList(own.stepsInApp) : markup``
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
      own.requestUntil,
      status === "offered" && requestUntil !== undefined ? texts.brasilia(moment(requestUntil)) : undefined,
    ),
    row(own.firstDay, day(startDate)),
    row(own.lastDay, endDate && day(endDate)),
    row(own.floor, floorCents === undefined ? undefined : reais(floorCents)),
    row(own.retries, retries === "none" ? undefined : own.retriesText),
    row(own.cancel, isOpen ? own.cancelText : undefined),
  ]}</dl>`
}

/** Everything that a payer sees of a recurrence, part by part. */
export const recurrenceParts = (shown: RecurrenceSnapshot, context: ViewContext): CheckoutParts => ({
  head: renderHead(shown, context),
  status: markup`${statusText(shown)}`,
  clock: markup``,
  warning: markup``,
  main: renderMain(shown, context),
  details: renderDetails(shown, context),
})
