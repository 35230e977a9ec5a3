import type { ViewContext } from "./ViewParts.ts"
import type { CheckoutState } from "./CheckoutState.ts"
import { type Markup, markup } from "./markup.ts"
import { texts } from "./texts.ts"

const row = (name: string, value: string): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`

const totalRow = (name: string, value: string): Markup =>
  markup`<div class="total"><dt>${name}</dt><dd>${value}</dd></div>`

/** The parts that change the original amount. */
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

/** The amount's parts as they stand today, the due date and until when the charge can be paid. */
const openRows = (state: CheckoutState, context: ViewContext): ReadonlyArray<Markup> => {
  const { formats } = context
  const due = dueDate(state, context)
  return [
    ...amountRows(state, context),
    ...(due === undefined ? [] : [row(texts.dueDate, due)]),
    row(texts.payableUntil, texts.brasilia(formats.moment(state.payableUntil))),
  ]
}

/** The lines that the shop wrote, and while nothing was paid, what the amount is made of and when it is due. */
export const chargeDetails = (state: CheckoutState, context: ViewContext): Markup => {
  const isOpen = state.status === "pending" || state.status === "expired"
  const rows = [
    ...state.additionalInfo.map(({ name, value }) => row(name, value)),
    ...(isOpen ? openRows(state, context) : []),
  ]
  return rows.length === 0 ? markup`` : markup`<dl>${rows}</dl>`
}
