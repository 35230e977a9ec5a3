import type { CheckoutState } from "./CheckoutState.ts"
import type { ViewFormats } from "./ViewParts.ts"
import { texts } from "./texts.ts"

/** The terms of an open charge that a page has shown. A change replaces them. */
export interface SeenTerms {
  /** Without fees, which also change from day to day. */
  readonly amountCents: number
  readonly dueDate?: string | undefined
  /** Epoch milliseconds. */
  readonly payableUntil: number
  readonly brCode?: string | undefined
}

/** Undefined if the charge can't be paid now. */
export const seenTerms = ({ status, amounts, dueDate, payableUntil, brCode }: CheckoutState): SeenTerms | undefined =>
  status === "pending" ? { amountCents: amounts.originalCents, dueDate, payableUntil, brCode } : undefined

const changedEnd = (before: SeenTerms, after: SeenTerms, { day, moment }: ViewFormats): string | false => {
  if (before.dueDate !== undefined && after.dueDate !== undefined && before.dueDate !== after.dueDate)
    return texts.changed.dueDate(day(before.dueDate), day(after.dueDate))
  return before.payableUntil !== after.payableUntil && texts.changed.payableUntil(moment(after.payableUntil))
}

/** Tells the payer what has changed. Empty without a change. */
export const changeText = (before: SeenTerms, after: SeenTerms, formats: ViewFormats): string => {
  const { reais } = formats
  const isOther = before.amountCents !== after.amountCents
  const changes = [
    isOther && texts.changed.amount(reais(before.amountCents), reais(after.amountCents)),
    changedEnd(before, after, formats),
  ].filter((change) => change !== false)
  if (changes.length === 0 && before.brCode !== after.brCode) changes.push(texts.changed.code)
  return changes.length === 0 ? "" : [...changes, texts.changed.again].join(" ")
}

/** The terms in the frame's attribute `data-terms`. */
export const readTerms = (text: string | undefined): SeenTerms | undefined =>
  text === undefined || text === "" ? undefined : (JSON.parse(text) as SeenTerms)
