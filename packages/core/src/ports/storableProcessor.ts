import * as Effect from "effect/Effect"
import type { Return, PaymentNotice, RefundOutcome } from "../charges/index.ts"
import type { PaymentProcessor, ProcessorView, ReceivedPayment, RegisteredCharge } from "./PaymentProcessor.ts"
import { isStorableText, storableText } from "../runtime/storable/StorableText.ts"

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
  // A processor in plain JavaScript may leave the list out.
  returns: (received.returns ?? []).map(storableReturn),
  ...(received.rejections && {
    rejections: received.rejections.map(({ refundId, reason }) => ({
      refundId: storableText(refundId),
      reason: storableText(reason),
    })),
  }),
})

const storableOutcome = (outcome: RefundOutcome): RefundOutcome =>
  outcome._tag === "Rejected" ? { ...outcome, reason: storableText(outcome.reason) } : outcome

const storableRegistered = (made: RegisteredCharge): RegisteredCharge =>
  isStorableText(made.brCode) ? made : { ...made, brCode: storableText(made.brCode) }

/** The host's processor with texts that every store can keep: the odd reason of a rejection must not block the rejection. */
export const storableProcessor = (processor: PaymentProcessor["Service"]): PaymentProcessor["Service"] => ({
  ...processor,
  register: (order) => Effect.map(processor.register(order), storableRegistered),
  lookup: (charge) => Effect.map(processor.lookup(charge), storableView),
  cancel: (charge) =>
    Effect.map(processor.cancel(charge), (outcome) =>
      outcome._tag === "Paid" ? { ...outcome, view: storableView(outcome.view) } : outcome,
    ),
  refund: (order) => Effect.map(processor.refund(order), storableOutcome),
  lookupRefund: (order) => Effect.map(processor.lookupRefund(order), (known) => known && storableOutcome(known)),
  payments: (issuer, search, cursor) =>
    Effect.map(processor.payments(issuer, search, cursor), (page) => ({
      ...page,
      items: page.items.map(storableReceived),
      ...(page.cursor !== undefined && { cursor: storableText(page.cursor) }),
    })),
})
