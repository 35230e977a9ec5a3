import { isSamePaymentId } from "../charge/Payment.ts"
import type { ProcessorView, ReceivedPayment } from "../ports/PaymentProcessor.ts"

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
