import * as Effect from "effect/Effect"
import type { RefundOutcome } from "../charge/RefundOutcome.ts"
import type { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import { storableText } from "../storable/StorableText.ts"
import { storableReceived, storableView } from "./storableFacts.ts"

const storableOutcome = (outcome: RefundOutcome): RefundOutcome =>
  outcome._tag === "Rejected" ? { ...outcome, reason: storableText(outcome.reason) } : outcome

/** The host's processor, its texts such as every store can keep: a rejection's odd reason must not block the rejection. */
export const storableProcessor = (processor: PaymentProcessor["Service"]): PaymentProcessor["Service"] => ({
  ...processor,
  register: (order) =>
    Effect.map(processor.register(order), (made) => ({ ...made, brCode: storableText(made.brCode) })),
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
