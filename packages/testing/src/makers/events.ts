import {
  chargeEvent,
  type ChargeEvent,
  type PaidCharge,
  type PixEvent,
  type PlainEvent,
  type RefundedCharge,
  type RefundFailedEvent,
} from "@pixcharge/core/charges"
import { refundFailedEvent } from "@pixcharge/core/internal"
import {
  type ChargeFacts,
  checkFacts,
  type PaymentFacts,
  type RefusalFacts,
  refundFields,
  type ReturnFacts,
} from "./ChargeFacts.ts"
import { aPaidCharge, aRefundedCharge, applyCommand, requestRefund } from "./charges.ts"
import { makeCompany } from "./makeRequested.ts"

type EventOf<Kind extends PixEvent["kind"]> = PlainEvent<Extract<PixEvent, { readonly kind: Kind }>>

const withIso = <Event extends ChargeEvent | RefundFailedEvent>(event: Event) => ({
  ...event,
  occurredAtIso: new Date(event.occurredAt).toISOString(),
})

const tell = (charge: PaidCharge | RefundedCharge, { company }: ChargeFacts) =>
  withIso(chargeEvent(charge, makeCompany(company).name))

/** The event of a payment, as `onEvent` takes it. */
export const aPaidEvent = (facts: ChargeFacts & PaymentFacts = {}): EventOf<"paid"> =>
  tell(aPaidCharge(facts), facts) as EventOf<"paid">

/** The event of a refund, as `onEvent` takes it. */
export const aRefundedEvent = (facts: ChargeFacts & ReturnFacts = {}): EventOf<"refunded"> =>
  tell(aRefundedCharge(facts), facts) as EventOf<"refunded">

/** The event of a refund that the bank refused, as `onEvent` takes it. */
export const aRefundFailedEvent = ({
  rejection: reason = "account closed",
  ...facts
}: ChargeFacts & RefusalFacts = {}): EventOf<"refund-failed"> => {
  checkFacts("aRefundFailedEvent", facts, refundFields)
  const charge = requestRefund(facts)
  const { id: refundId } = charge.refund
  const { amountCents } = charge.payment
  const outcome = { _tag: "Rejected", reason } as const
  const command = { _tag: "FinishRefund", refundId, amountCents, outcome } as const
  const { next, failure } = applyCommand(charge, command, charge.updatedAt + 60_000)
  const event = next && failure && refundFailedEvent(next, failure, makeCompany(facts.company).name)
  if (event === undefined) throw new Error("the core tells of no refund that failed")
  return withIso(event)
}
