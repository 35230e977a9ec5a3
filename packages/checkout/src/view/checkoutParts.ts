import { type CheckoutState, stateAt } from "./CheckoutState.ts"
import {
  type CheckoutParts,
  formatCnpj,
  paidMark,
  renderPayable,
  titleHeading,
  type ViewContext,
  type ViewFormats,
} from "./ViewParts.ts"
import { Markup, markup } from "./markup.ts"
import { clockText, type ReturnedAmount, texts, warningText } from "./texts.ts"

const shownAmount = ({ status, payment, amounts }: CheckoutState): readonly [label: string, cents: number] => {
  if (payment !== undefined) return [texts.received, payment.amountCents]
  return [status === "pending" ? texts.toPay : texts.charged, amounts.totalCents]
}

const renderHead = (state: CheckoutState, { formats, isEmbedded }: ViewContext): Markup => {
  const [label, cents] = shownAmount(state)
  return markup`${state.status === "paid" && paidMark}${titleHeading(isEmbedded, texts.titles[state.status])}
${state.description !== undefined && markup`<p class="about">${state.description}</p>`}
<p class="amount"><span>${label}</span> <strong>${formats.reais(cents)}</strong></p>
<p class="payee"><span>${texts.payee}</span> <strong>${state.payee.name}</strong> <span>CNPJ ${formatCnpj(state.payee.taxId)}</span></p>`
}

const isOne = (cents: number): boolean => cents === 100 || cents === 1

const returnedAmount = (cents: number, formats: ViewFormats): ReturnedAmount => ({
  amount: formats.reais(cents),
  isOne: isOne(cents),
})

const statusText = (state: CheckoutState, { formats }: ViewContext): string => {
  const { payment, refundedAt } = state
  const paid = returnedAmount(payment?.amountCents ?? 0, formats)
  const returned = returnedAmount(state.returnedCents, formats)
  switch (state.status) {
    case "pending":
      return texts.waiting
    case "paid":
      // Stryker disable next-line OptionalChaining: a paid charge has a payment
      return texts.paid(paid.amount, formats.moment(payment?.paidAt ?? 0))
    case "expired":
      return texts.expired(formats.moment(state.payableUntil))
    case "refunding":
      return texts.refunding(paid)
    case "refunded":
      return refundedAt === undefined
        ? texts.refunded(returned)
        : texts.refundedAt(returned, formats.moment(refundedAt))
    case "cancelled":
      return texts.cancelled
  }
}

const renderExpired = ({ canRenew }: CheckoutState, { links }: ViewContext): Markup => markup`<div class="next">
${
  canRenew
    ? markup`<form method="post" action="${links.renew}"><button class="act">${texts.renew}</button><p class="said" role="status" data-renewal></p></form><p>${texts.renewHint}</p>`
    : markup`<p>${texts.askAgain}</p>`
}
<p>${texts.paidAlready}</p>
<slot name="expired"></slot>
</div>`

const inNewTab = new Markup(' target="_blank" rel="noopener"')

const renderPaid = (
  { payment, returnedCents, status }: CheckoutState,
  { formats, links, isEmbedded }: ViewContext,
): Markup =>
  markup`<div class="next">
${payment?.isLate && markup`<p>${texts.paidLate}</p>`}
${status === "paid" && returnedCents > 0 && markup`<p>${texts.partlyReturned(returnedAmount(returnedCents, formats))}</p>`}
${status === "paid" && markup`<slot name="paid"></slot>`}
<p><a class="act quiet" href="${links.receipt}"${isEmbedded && inNewTab}>${texts.receipt}</a></p>
</div>`

const renderMain = (state: CheckoutState, context: ViewContext): Markup => {
  if (state.brCode !== undefined) return renderPayable(state.brCode, context)
  if (state.status === "expired") return renderExpired(state, context)
  return state.payment === undefined ? markup`` : renderPaid(state, context)
}

const renderClock = (state: CheckoutState, nowMs: number, { formats, isLive }: ViewContext): Markup => {
  if (state.status !== "pending") return markup``
  const { payableUntil } = state
  return isLive
    ? markup`${texts.expiresIn} <time role="timer">${clockText(payableUntil - nowMs)}</time>`
    : markup`${texts.expiresIn} ${formats.moment(payableUntil)}`
}

export const checkoutParts = (received: CheckoutState, nowMs: number, context: ViewContext): CheckoutParts => {
  const state = stateAt(received, nowMs)
  const isPending = state.status === "pending"
  return {
    head: renderHead(state, context),
    status: markup`${statusText(state, context)}`,
    clock: renderClock(state, nowMs, context),
    warning: markup`${isPending && warningText(state.payableUntil - nowMs)}`,
    main: renderMain(state, context),
    details: chargeDetails(state, context),
  }
}

const row = (name: string, value: string): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`

const totalRow = (name: string, value: string): Markup =>
  markup`<div class="total"><dt>${name}</dt><dd>${value}</dd></div>`

const amountRows = ({ amounts, status, now }: CheckoutState, { formats }: ViewContext): ReadonlyArray<Markup> => {
  const changes = [
    [texts.abatement, "−", amounts.abatementCents],
    [texts.discount, "−", amounts.discountCents],
    [texts.interest, "+", amounts.interestCents],
    [texts.fine, "+", amounts.fineCents],
  ] as const
  const changed = changes.filter(([, , cents]) => cents !== 0)
  if (changed.length === 0) return []
  return [
    row(texts.original, formats.reais(amounts.originalCents)),
    ...changed.map(([name, sign, cents]) => row(name, `${sign} ${formats.reais(cents)}`)),
    totalRow(status === "pending" ? texts.totalOn(formats.date(now)) : texts.total, formats.reais(amounts.totalCents)),
  ]
}

const dueDate = (
  { dueDate: date, movedDueDate: moved }: CheckoutState,
  { formats }: ViewContext,
): string | undefined => {
  if (date === undefined) return undefined
  const isMoved = moved !== undefined && moved !== date
  return isMoved ? `${formats.day(date)}: ${texts.moved(formats.day(moved))}` : formats.day(date)
}

const openRows = (state: CheckoutState, context: ViewContext): ReadonlyArray<Markup> => {
  const { formats } = context
  const due = dueDate(state, context)
  return [
    ...amountRows(state, context),
    ...(due === undefined ? [] : [row(texts.dueDate, due)]),
    row(texts.payableUntil, texts.brasilia(formats.moment(state.payableUntil))),
  ]
}

const chargeDetails = (state: CheckoutState, context: ViewContext): Markup => {
  const isOpen = state.status === "pending" || state.status === "expired"
  const rows = [
    ...state.additionalInfo.map(({ name, value }) => row(name, value)),
    ...(isOpen ? openRows(state, context) : []),
  ]
  return rows.length === 0 ? markup`` : markup`<dl>${rows}</dl>`
}
