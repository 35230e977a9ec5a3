import { InvalidOption } from "@pixcharge/core"
import {
  type InvalidRefundReason,
  parseRefundReason,
  type PartialRefundInput,
  type PaymentNoticeInput,
} from "@pixcharge/core/charges"
import { chargeRequestFields, type Fields, type FieldsOf, unknownField } from "@pixcharge/core/internal"
import { type Cents, maximumChargeCents } from "@pixcharge/core/money"
import type { RecurrenceRequestInput } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** Fields of all journeys: the parser says which one has which. */
const journey: Fields = {
  by: true,
  ispb: true,
  branch: true,
  account: true,
  until: true,
  charge: chargeRequestFields,
}

export const recurrenceRequestFields: FieldsOf<RecurrenceRequestInput> = {
  id: true,
  contract: true,
  payer: chargeRequestFields.payer,
  title: true,
  period: true,
  startDate: true,
  endDate: true,
  amountCents: true,
  floorCents: true,
  retries: true,
  journey,
}

export const partialRefundFields: FieldsOf<PartialRefundInput> = { key: true, amountCents: true, reason: true }

const refundFields: FieldsOf<RefundInput> = { reason: true }

export const paymentNoticeFields: FieldsOf<PaymentNoticeInput> = {
  issuer: true,
  txid: true,
  endToEndId: true,
  amountCents: true,
  paidAt: true,
}

/** Fails with `InvalidOption` for an object that has a field which the call, named by how it is written, doesn't know. */
export const checkFields = (call: string, given: unknown, fields: Fields): Effect.Effect<void, InvalidOption> => {
  const flaw = unknownField(given, fields)
  return flaw === undefined ? Effect.void : Effect.fail(new InvalidOption({ message: `${call}: ${flaw}.` }))
}

/** What may be said about the refund of a whole payment. */
export interface RefundInput {
  /**
   * Why the money goes back: 1 to 140 characters of ISO 8859-1, trimmed. It is kept with the refund, and sent to the bank, which
   * may show it to the payer. A repeat changes none; a refund that failed and is asked for again has the reason given then.
   */
  readonly reason?: string | undefined
}

/**
 * The reason in what is said about a whole refund. Plain JavaScript may name an amount, in an object or beside it: to pass it
 * over would return everything.
 */
export const parseRefund = (
  call: string,
  refund: RefundInput | undefined,
  surplus: ReadonlyArray<unknown>,
): Effect.Effect<string | undefined, InvalidOption | InvalidRefundReason> =>
  Effect.gen(function* () {
    const isObject = refund === undefined || Predicate.isObjectOrArray(refund)
    const isKnown = isObject && unknownField(refund, refundFields) === undefined
    if (!isKnown || surplus.some((argument) => argument !== undefined)) {
      return yield* new InvalidOption({
        message: `${call} returns the whole payment, and takes { reason } alone: a part of a charge's goes back by refundPart(issuer, id, { key, amountCents }).`,
      })
    }
    return refund?.reason === undefined ? undefined : yield* Effect.fromResult(parseRefundReason(refund.reason))
  })

/** Whether somebody can pay this amount. */
export const isPayable = (cents: unknown): cents is Cents =>
  typeof cents === "number" && Number.isInteger(cents) && cents > 0 && cents <= maximumChargeCents
