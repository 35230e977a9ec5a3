import type { Cents } from "../../money/Money.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { Charge, PaidCharge, RefundedCharge } from "./Charge.ts"
import type { ChargeId, Txid } from "./ChargeId.ts"

/** What an event says: a charge was paid, it was refunded, or (test) that an endpoint can be reached. */
export type EventKind = "paid" | "refunded" | "test"

/** The payment of an event. Never with payer data (decision 25). */
export interface EventPayment {
  readonly chargeId: ChargeId
  readonly txid: Txid
  readonly endToEndId: string
  readonly amountCents: Cents
}

interface EventFacts {
  /** Never changes over retries, so that a receiver can recognise what it has. Holds no `.` (Standard Webhooks). */
  readonly id: string
  readonly issuer: Cnpj
  readonly companyName: string
  /** Epoch milliseconds. */
  readonly occurredAt: number
}

interface EventWith<Kind extends EventKind> extends EventFacts {
  readonly kind: Kind
  readonly payment: EventPayment
}

/** A charge was paid or refunded. */
export type ChargeEvent = EventWith<"paid"> | EventWith<"refunded">

/** An endpoint is tried out: nothing happened to a charge. */
export interface TestEvent extends EventFacts {
  readonly kind: "test"
  readonly payment?: undefined
}

/** One fact to be published, the same however often it is sent (decision 23). */
export type PixEvent = ChargeEvent | TestEvent

/** An event as hosts and receivers get it: its instant in ISO 8601, in UTC, besides. */
export type PlainEvent = PixEvent & { readonly occurredAtIso: string }

/**
 * An event's id follows from issuer, charge and kind alone: publishing the same fact again is the same event, also where the
 * charge was issued once more after its books were lost. Rows of releases that made it of the transaction's id keep theirs:
 * what is stored is found by charge and kind.
 */
export const chargeEventId = (
  { issuer, id }: Pick<Charge, "issuer" | "id">,
  kind: Exclude<EventKind, "test">,
): string => `evt_${issuer}_${id.replaceAll("-", "")}_${kind}`

/** The event of a move into paid or refunded. */
export const chargeEvent = (charge: PaidCharge | RefundedCharge, companyName: string): ChargeEvent => {
  const kind = charge._tag === "Paid" ? "paid" : "refunded"
  return {
    id: chargeEventId(charge, kind),
    kind,
    issuer: charge.issuer,
    companyName,
    occurredAt: charge._tag === "Paid" ? charge.payment.paidAt : charge.refundedAt,
    payment: {
      chargeId: charge.id,
      txid: charge.txid,
      endToEndId: charge.payment.endToEndId,
      amountCents: charge.payment.amountCents,
    },
  }
}
