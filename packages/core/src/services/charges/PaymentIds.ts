import * as Effect from "effect/Effect"
import { type Charge, isSettledBy } from "../../model/charge/Charge.ts"
import { isSamePaymentId } from "../../model/charge/Payment.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import { isExceptionRefund } from "../../model/charge/Refund.ts"
import type { ChargeLists } from "../../ports/ChargeLists.ts"
import type { ProcessorView, ReceivedPayment } from "../../ports/PaymentProcessor.ts"

/** Some processors keep times in whole seconds. */
const marginMs = 1_000

const spell =
  (known: string) =>
  <Row extends { readonly endToEndId: string }>(row: Row): Row =>
    isSamePaymentId(row.endToEndId, known) ? { ...row, endToEndId: known } : row

/** Processors write ids in upper or lower case; the books' spelling counts. */
export const spellView = <View extends Pick<ProcessorView, "payments" | "returns">>(
  view: View,
  known: string,
): View => ({
  ...view,
  payments: view.payments.map(spell(known)),
  returns: view.returns.map(spell(known)),
})

export const spellReceived = (received: ReceivedPayment, known: string): ReceivedPayment => ({
  ...spell(known)(received),
  returns: received.returns.map(spell(known)),
})

type Shown = PaymentNotice & Partial<Pick<ReceivedPayment, "returns">>

/** False for a payment returned as an exception. */
export const isAwaitedBy = (charge: Charge, { paidAt, returns = [] }: Shown): boolean =>
  charge._tag === "Pending" && paidAt >= charge.createdAt && !returns.some(isExceptionRefund)

type Lists = Pick<ChargeLists["Service"], "payment" | "paymentsAt">

/** The books' spelling of the id. */
export const findSpelled = Effect.fnUntraced(function* (lists: Lists, shown: Shown, charge: Charge | undefined) {
  const { issuer, endToEndId, paidAt } = shown
  if (charge !== undefined && isAwaitedBy(charge, shown)) return undefined
  const near = yield* lists.paymentsAt(issuer, { from: paidAt - marginMs, until: paidAt + marginMs })
  return near.find((payment) => isSamePaymentId(payment.endToEndId, endToEndId))?.endToEndId
})

/** The id as the books spell it. */
export const findId = Effect.fnUntraced(function* (lists: Lists, shown: Shown, charge: Charge | undefined) {
  const { issuer, endToEndId } = shown
  if (charge !== undefined && (isAwaitedBy(charge, shown) || isSettledBy(charge, endToEndId))) return endToEndId
  const isKnown = (yield* lists.payment(issuer, endToEndId)) !== undefined
  return (isKnown ? undefined : yield* findSpelled(lists, shown, charge)) ?? endToEndId
})
