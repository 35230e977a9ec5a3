import * as Effect from "effect/Effect"
import type { Charge } from "../charge/Charge.ts"
import { settles } from "../charge/chargeParts.ts"
import { isSamePaymentId } from "../charge/Payment.ts"
import type { PaymentNotice } from "../charge/PaymentNotice.ts"
import type { StoreUnavailable } from "../errors.ts"
import type { ChargeLists } from "../ports/ChargeLists.ts"
import type { ProcessorView, ReceivedPayment } from "../ports/PaymentProcessor.ts"

/** A processor may keep whole seconds. */
const marginMs = 1_000

/** The row with the payment's id as the books have it, if it is that payment's. */
const spelled =
  (known: string) =>
  <Row extends { readonly endToEndId: string }>(row: Row): Row =>
    isSamePaymentId(row.endToEndId, known) ? { ...row, endToEndId: known } : row

/** A view that names this payment as the books do: processors write ids in either case. */
export const spellView = (view: ProcessorView, known: string): ProcessorView => ({
  ...view,
  payments: view.payments.map(spelled(known)),
  returns: view.returns.map(spelled(known)),
})

/** The same of a listed payment. */
export const spellReceived = (received: ReceivedPayment, known: string): ReceivedPayment => ({
  ...spelled(known)(received),
  returns: received.returns.map(spelled(known)),
})

/** Whether the payment came while the charge was there, and none has settled that yet: nobody recorded it as one of no charge. */
const isAwaitedBy = (charge: Charge, { paidAt }: PaymentNotice): boolean =>
  charge._tag === "Pending" && paidAt >= charge.createdAt

/** Finds payments in a company's books, whatever the case in which their ids are shown. */
export const makeFindKnown = (lists: Pick<ChargeLists["Service"], "payment" | "paymentsAt">) => {
  /** The payment as the books have it. One that its charge waits for is looked for only as it is shown: most come so. */
  const findKnown = Effect.fnUntraced(function* (shown: PaymentNotice, charge: Charge | undefined) {
    const { issuer, endToEndId, paidAt } = shown
    const known = yield* lists.payment(issuer, endToEndId)
    if (known !== undefined || (charge !== undefined && isAwaitedBy(charge, shown))) return known
    const near = yield* lists.paymentsAt(issuer, { from: paidAt - marginMs, until: paidAt + marginMs })
    return near.find((payment) => isSamePaymentId(payment.endToEndId, endToEndId))
  })

  /** The payment's id as the books have it, or as it is shown. Of one that the charge waits for, or has, it costs no look-up. */
  const findId = (shown: PaymentNotice, charge: Charge | undefined): Effect.Effect<string, StoreUnavailable> =>
    charge !== undefined && (isAwaitedBy(charge, shown) || settles(charge, shown.endToEndId))
      ? Effect.succeed(shown.endToEndId)
      : Effect.map(findKnown(shown, charge), (known) => known?.endToEndId ?? shown.endToEndId)

  return { findKnown, findId }
}
