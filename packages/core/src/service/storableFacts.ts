import type { Return } from "../charge/Payment.ts"
import type { PaymentNotice } from "../charge/PaymentNotice.ts"
import type { ProcessorView, ReceivedPayment } from "../ports/PaymentProcessor.ts"
import { storableText } from "../storable/StorableText.ts"

/** The return with an id that every store can keep. */
const storableReturn = (returned: Return): Return => ({
  ...returned,
  id: storableText(returned.id),
  endToEndId: storableText(returned.endToEndId),
})

/** The notice with texts that every store can keep. */
export const storableNotice = <N extends PaymentNotice>(notice: N): N => ({
  ...notice,
  endToEndId: storableText(notice.endToEndId),
  ...(notice.txid !== undefined && { txid: storableText(notice.txid) }),
})

/** The view with texts that every store can keep. */
export const storableView = (view: ProcessorView): ProcessorView => ({
  ...view,
  payments: view.payments.map(storableNotice),
  returns: view.returns.map(storableReturn),
})

/** The listed payment with texts that every store can keep. */
export const storableReceived = (received: ReceivedPayment): ReceivedPayment => ({
  ...storableNotice(received),
  // A processor in plain JavaScript may leave out what it has none of.
  returns: (received.returns ?? []).map(storableReturn),
})
