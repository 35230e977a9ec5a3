import type { LocalDate } from "../calendar/LocalDate.ts"
import type { DebitNews } from "../cycle/decideDebit.ts"
import type { EndedBy } from "../cycle/RecurrenceId.ts"
import type { Cents } from "../money/Money.ts"
import { withoutPersonal } from "../party/personal.ts"
import type { CancelledBy, Charge, PaidCharge, RefundedCharge, SettledCharge } from "./Charge.ts"
import { payableAtBankUntil } from "./TermsRow.ts"
import type { Payment, Return } from "./Payment.ts"
import type { PaymentException } from "./PaymentException.ts"
import {
  type EventCharge,
  type EventException,
  type EventPayment,
  type PixEvent,
  recurrenceEventId,
} from "./PixEvent.ts"
import { lastReturn } from "./decideRefund.ts"
import type { FailedRefund } from "./Refund.ts"
import { shopTexts, type ShopTexts } from "./ShopTexts.ts"

/** `key` names a partial refund. */
export interface RefundFailure {
  readonly refund: FailedRefund
  readonly amountCents: Cents
  readonly key?: string
}

export type CycleNews =
  | DebitNews
  | {
      readonly kind: "payment-failed"
      readonly reason: "cancelled"
      readonly on: LocalDate
      readonly by?: EndedBy
      readonly code?: string
    }

/** A move's event, with facts that the charge lacks. */
export type ChargeNews =
  | { readonly kind: "paid" | "refunded" | "expired" }
  /** `key`: of the partial refund. */
  | { readonly kind: "part-refunded"; readonly returned: Return; readonly key?: string }
  | { readonly kind: "cancelled"; readonly by: CancelledBy }
  | ({ readonly kind: "refund-failed" } & RefundFailure)
  | CycleNews

type NewsOf<Kind extends ChargeNews["kind"]> = Extract<ChargeNews, { readonly kind: Kind }>

type MakeEvent<Kind extends ChargeNews["kind"]> = (
  charge: Charge,
  news: NewsOf<Kind>,
  companyName: string,
) => PixEvent<Kind> | undefined

type ChargeFact = "paid" | "refunded" | "expired" | "cancelled"

/** Publishing a fact twice makes one event, even if the books were lost and the charge was issued again. */
export const chargeEventId = ({ issuer, id }: Pick<Charge, "issuer" | "id">, fact: ChargeFact): string =>
  `evt_${issuer}_${id.replaceAll("-", "")}_${fact}`

/** Processors write ids in capitals or small letters. */
const idInEvent = (id: string): string => id.toLowerCase().replaceAll(".", "-")

const eventPayment = (charge: SettledCharge): EventPayment => {
  const { id, txid, payment, cycle } = charge
  return {
    chargeId: id,
    txid,
    endToEndId: payment.endToEndId,
    amountCents: payment.amountCents,
    ...shopTexts(charge),
    ...(cycle && { cycle: { recurrenceId: cycle.recurrenceId, contract: cycle.contract, cycle: cycle.cycle } }),
  }
}

const eventCharge = (charge: Charge): EventCharge => {
  const { id, txid, amountCents } = charge
  return { chargeId: id, txid, amountCents, ...shopTexts(charge) }
}

const chargeFacts = <Kind extends ChargeFact>(charge: Charge, kind: Kind, companyName: string, occurredAt: number) => ({
  id: chargeEventId(charge, kind),
  kind,
  issuer: charge.issuer,
  companyName,
  occurredAt,
})

const paidEvent = (charge: PaidCharge, companyName: string): PixEvent<"paid"> => {
  const { late, otherAmount, paidAt } = charge.payment
  return {
    id: chargeEventId(charge, "paid"),
    kind: "paid",
    issuer: charge.issuer,
    companyName,
    occurredAt: paidAt,
    payment: eventPayment(charge),
    late,
    otherAmount,
  }
}

const refundedEvent = (charge: RefundedCharge, companyName: string): PixEvent<"refunded"> => ({
  id: chargeEventId(charge, "refunded"),
  kind: "refunded",
  issuer: charge.issuer,
  companyName,
  occurredAt: charge.refundedAt,
  payment: eventPayment(charge),
  returnKind: lastReturn(charge.returns).kind,
})

export const chargeEvent = (
  charge: PaidCharge | RefundedCharge,
  companyName: string,
): PixEvent<"paid"> | PixEvent<"refunded"> =>
  charge._tag === "Paid" ? paidEvent(charge, companyName) : refundedEvent(charge, companyName)

const partRefundedEvent = (
  charge: SettledCharge,
  { returned, key }: NewsOf<"part-refunded">,
  companyName: string,
): PixEvent<"part-refunded"> => {
  const { issuer } = charge
  const { id, amountCents, kind: returnKind, returnedAt: occurredAt } = returned
  return {
    id: `evt_${issuer}_${charge.id.replaceAll("-", "")}_${idInEvent(id)}_part-refunded`,
    kind: "part-refunded",
    issuer,
    companyName,
    occurredAt,
    payment: eventPayment(charge),
    part: { id, amountCents, ...(key !== undefined && { key }) },
    returnKind,
  }
}

const exceptionFacts = <Kind extends "exception" | "exception-returned">(
  { payment, reason }: Pick<PaymentException, "payment" | "reason">,
  kind: Kind,
  companyName: string,
) => {
  const { issuer, endToEndId, amountCents, chargeId, txid } = payment
  const exception: EventException = {
    endToEndId,
    amountCents,
    ...(chargeId !== undefined && { chargeId }),
    ...(txid !== undefined && { txid }),
    reason,
  }
  return { id: `evt_${issuer}_${idInEvent(endToEndId)}_${kind}`, kind, issuer, companyName, exception }
}

export const exceptionEvent = (
  exception: Pick<PaymentException, "payment" | "reason">,
  companyName: string,
): PixEvent<"exception"> => ({
  ...exceptionFacts(exception, "exception", companyName),
  occurredAt: exception.payment.paidAt,
})

/** `returns` isn't empty. */
export const exceptionReturnedEvent = (
  exception: Pick<PaymentException, "payment" | "reason" | "returns">,
  companyName: string,
): PixEvent<"exception-returned"> => {
  const { kind: returnKind, returnedAt: occurredAt } = lastReturn(exception.returns)
  return { ...exceptionFacts(exception, "exception-returned", companyName), occurredAt, returnKind }
}

/** The id contains the time of the request, because a new request can fail again. */
const failedRefundFacts = (
  { issuer, endToEndId }: Pick<Payment, "issuer" | "endToEndId">,
  { refund, amountCents, key }: RefundFailure,
): Pick<PixEvent<"refund-failed">, "id" | "kind" | "issuer" | "refund"> => ({
  id: `evt_${issuer}_${refund.id}_${refund.requestedAt}_refund-failed`,
  kind: "refund-failed",
  issuer,
  refund: { id: refund.id, endToEndId, amountCents, reason: refund.rejection, ...(key !== undefined && { key }) },
})

export const exceptionRefundFailedEvent = (
  { payment }: Pick<PaymentException, "payment">,
  refund: FailedRefund,
  { companyName, occurredAt }: Pick<PixEvent, "companyName" | "occurredAt">,
): PixEvent<"refund-failed"> => ({
  ...failedRefundFacts(payment, { refund, amountCents: payment.amountCents }),
  companyName,
  occurredAt,
})

/** The id ends with `fact`. */
const cycleFacts = (
  charge: Charge,
  { recurrenceId, contract, cycle, generation }: NonNullable<Charge["cycle"]>,
  companyName: string,
  fact: string,
) => ({
  id: recurrenceEventId({ issuer: charge.issuer, recurrenceId }, `${cycle}_${generation}_${fact}`),
  issuer: charge.issuer,
  companyName,
  occurredAt: charge.updatedAt,
  recurrence: { recurrenceId, contract },
  cycle,
  charge: eventCharge(charge),
})

const makers: { readonly [Kind in ChargeNews["kind"]]: MakeEvent<Kind> } = {
  paid: (charge, _, companyName) => (charge._tag === "Paid" ? paidEvent(charge, companyName) : undefined),
  refunded: (charge, _, companyName) => (charge._tag === "Refunded" ? refundedEvent(charge, companyName) : undefined),
  "part-refunded": (charge, news, companyName) =>
    "payment" in charge ? partRefundedEvent(charge, news, companyName) : undefined,
  expired: (charge, _, companyName) => {
    const payableUntil = payableAtBankUntil(charge)
    return {
      ...chargeFacts(charge, "expired", companyName, payableUntil),
      charge: eventCharge(charge),
      payableUntil,
    }
  },
  cancelled: (charge, { by }, companyName) =>
    charge._tag === "Cancelled"
      ? { ...chargeFacts(charge, "cancelled", companyName, charge.cancelledAt), charge: eventCharge(charge), by }
      : undefined,
  "refund-failed": (charge, failure, companyName) =>
    "payment" in charge
      ? {
          ...failedRefundFacts(charge.payment, failure),
          companyName,
          occurredAt: charge.updatedAt,
          payment: eventPayment(charge),
        }
      : undefined,
  "payment-scheduled": (charge, { kind, attempt: { on } }, companyName) =>
    charge.cycle && { ...cycleFacts(charge, charge.cycle, companyName, `${kind}_${on}`), kind, on },
  "payment-failed": (charge, news, companyName) =>
    charge.cycle && {
      ...cycleFacts(charge, charge.cycle, companyName, `${news.kind}_${news.on}_${news.reason}`),
      ...news,
    },
}

/** `charge` is the charge after the move. */
export const newsEvent = <News extends ChargeNews>(charge: Charge, news: News, companyName: string) =>
  (makers[news.kind] as MakeEvent<News["kind"]>)(charge, news as never, companyName)

const ofShop: Readonly<Record<keyof ShopTexts, true>> = { reference: true, metadata: true }

export const withoutShopTexts = (event: PixEvent): PixEvent =>
  ({
    ...event,
    ...(event.payment && { payment: withoutPersonal(event.payment, ofShop) }),
    ...("charge" in event && event.charge && { charge: withoutPersonal(event.charge, ofShop) }),
  }) as PixEvent
