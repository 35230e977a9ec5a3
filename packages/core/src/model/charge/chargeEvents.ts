import type { LocalDate } from "../calendar/LocalDate.ts"
import type { DebitNews } from "../cycle/decideDebit.ts"
import type { EndedBy } from "../cycle/RecurrenceId.ts"
import type { Cents } from "../money/Money.ts"
import { withoutPersonal } from "../party/personal.ts"
import type { Charge, PaidCharge, RefundedCharge, SettledCharge } from "./Charge.ts"
import type { Payment } from "./Payment.ts"
import type { PaymentException } from "./PaymentException.ts"
import { type ChargeEvent, type EventPayment, type PixEvent, recurrenceEventId } from "./PixEvent.ts"
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
  | { readonly kind: ChargeEvent["kind"] }
  | ({ readonly kind: "refund-failed" } & RefundFailure)
  | CycleNews

type NewsOf<Kind extends ChargeNews["kind"]> = Extract<ChargeNews, { readonly kind: Kind }>

type MakeEvent<Kind extends ChargeNews["kind"]> = (
  charge: Charge,
  news: NewsOf<Kind>,
  companyName: string,
) => PixEvent<Kind> | undefined

/** Publishing a fact twice makes one event, even if the books were lost and the charge was issued again. */
export const chargeEventId = ({ issuer, id }: Pick<Charge, "issuer" | "id">, kind: ChargeEvent["kind"]): string =>
  `evt_${issuer}_${id.replaceAll("-", "")}_${kind}`

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

const paidEvent = (charge: PaidCharge, companyName: string): PixEvent<"paid"> => ({
  id: chargeEventId(charge, "paid"),
  kind: "paid",
  issuer: charge.issuer,
  companyName,
  occurredAt: charge.payment.paidAt,
  payment: eventPayment(charge),
})

const refundedEvent = (charge: RefundedCharge, companyName: string): PixEvent<"refunded"> => ({
  id: chargeEventId(charge, "refunded"),
  kind: "refunded",
  issuer: charge.issuer,
  companyName,
  occurredAt: charge.refundedAt,
  payment: eventPayment(charge),
})

export const chargeEvent = (charge: PaidCharge | RefundedCharge, companyName: string): ChargeEvent =>
  charge._tag === "Paid" ? paidEvent(charge, companyName) : refundedEvent(charge, companyName)

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
  { issuer, id, txid, amountCents, updatedAt }: Charge,
  { recurrenceId, contract, cycle, generation }: NonNullable<Charge["cycle"]>,
  companyName: string,
  fact: string,
) => ({
  id: recurrenceEventId({ issuer, recurrenceId }, `${cycle}_${generation}_${fact}`),
  issuer,
  companyName,
  occurredAt: updatedAt,
  recurrence: { recurrenceId, contract },
  cycle,
  charge: { chargeId: id, txid, amountCents },
})

const makers: { readonly [Kind in ChargeNews["kind"]]: MakeEvent<Kind> } = {
  paid: (charge, _, companyName) => (charge._tag === "Paid" ? paidEvent(charge, companyName) : undefined),
  refunded: (charge, _, companyName) => (charge._tag === "Refunded" ? refundedEvent(charge, companyName) : undefined),
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

/** The event after an erasure of its charge's reference and metadata. */
export const withoutShopTexts = (event: PixEvent): PixEvent =>
  ({
    ...event,
    ...(event.payment && { payment: withoutPersonal(event.payment, ofShop) }),
    ...("charge" in event && event.charge && { charge: withoutPersonal(event.charge, ofShop) }),
  }) as PixEvent
