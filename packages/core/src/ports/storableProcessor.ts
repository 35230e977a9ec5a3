import * as Effect from "effect/Effect"
import type { PaymentNotice, RefundOutcome, Return } from "../model/charge/index.ts"
import { isStorableMoment, isStorableText, storableText } from "../runtime/storable.ts"
import type { DeliveryAttempt, DeliveryFate, Settlement } from "./Outbox.ts"
import type { PaymentProcessor, ProcessorView, ReceivedPayment, RegisteredCharge } from "./PaymentProcessor.ts"

const momentOr = (moment: number, otherwise: number): number => (isStorableMoment(moment) ? moment : otherwise)

const storableFate = (fate: DeliveryFate, now: number): DeliveryFate => {
  if (fate._tag === "Retry") return { _tag: "Retry", at: momentOr(fate.at, now) }
  return fate._tag === "Dead" ? { _tag: "Dead", reason: storableText(fate.reason) } : fate
}

const storableAttempt = (attempt: DeliveryAttempt, now: number): DeliveryAttempt => {
  const { startedAt, latencyMs, status, error, answer } = attempt
  return {
    startedAt: momentOr(startedAt, now),
    latencyMs: Number.isFinite(latencyMs) ? latencyMs : 0,
    // HTTP statuses fit in 32 bits.
    ...(status !== undefined && (status | 0) === status && { status }),
    ...(error !== undefined && { error: storableText(error) }),
    ...(answer !== undefined && { answer: storableText(answer) }),
  }
}

/**
 * Makes a settlement storable: replaces unstorable characters, drops an unstorable status, and puts `now` for an unstorable time
 * and 0 for an unstorable latency.
 */
export const storableSettlement = (settlement: Settlement, now: number): Settlement => {
  const { fate, attempt } = settlement
  return {
    ...settlement,
    fate: storableFate(fate, now),
    attempt: storableAttempt(attempt, now),
  }
}

const storableReturn = (returned: Return): Return => ({
  ...returned,
  id: storableText(returned.id),
  endToEndId: storableText(returned.endToEndId),
})

export const storableNotice = <N extends PaymentNotice>(notice: N): N => ({
  ...notice,
  endToEndId: storableText(notice.endToEndId),
  ...(notice.txid !== undefined && { txid: storableText(notice.txid) }),
})

export const storableView = (view: ProcessorView): ProcessorView => ({
  ...view,
  payments: view.payments.map(storableNotice),
  returns: view.returns.map(storableReturn),
})

export const storableReceived = (received: ReceivedPayment): ReceivedPayment => ({
  ...storableNotice(received),
  // A processor in plain JavaScript can omit the list.
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

const storableCode = <Made extends Partial<Pick<RegisteredCharge, "brCode">>>(made: Made): Made =>
  made.brCode === undefined || isStorableText(made.brCode) ? made : { ...made, brCode: storableText(made.brCode) }

/** Replaces unstorable characters in the processor's answers. */
export const storableProcessor = (processor: PaymentProcessor["Service"]): PaymentProcessor["Service"] => ({
  ...processor,
  register: (order) => Effect.map(processor.register(order), storableCode),
  change: (order) => Effect.map(processor.change(order), storableCode),
  lookup: (charge, revision) => Effect.map(processor.lookup(charge, revision), storableView),
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
