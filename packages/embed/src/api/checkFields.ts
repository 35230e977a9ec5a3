import { InvalidOption } from "@pixcharge/core"
import {
  type ChargeChange,
  type InvalidRefundReason,
  parseRefundReason,
  type PartialRefundInput,
  type PaymentNoticeInput,
} from "@pixcharge/core/charges"
import { chargeRequestFields, type Fields, type FieldsOf, payerFields, unknownField } from "@pixcharge/core/internal"
import { type Cents, maximumChargeCents } from "@pixcharge/core/money"
import type { RecurrenceRequestInput } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** The fields of all kinds of journeys. The parser refuses fields of another kind. */
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
  payer: payerFields,
  title: true,
  period: true,
  startDate: true,
  endDate: true,
  amountCents: true,
  floorCents: true,
  retries: true,
  retryOn: true,
  journey,
}

const { id: _, ...changeableFields } = chargeRequestFields

export const chargeChangeFields: FieldsOf<ChargeChange> = { key: true, ...changeableFields }

export const partialRefundFields: FieldsOf<PartialRefundInput> = { key: true, amountCents: true, reason: true }

const refundFields: FieldsOf<RefundInput> = { reason: true }

export const paymentNoticeFields: FieldsOf<PaymentNoticeInput> = {
  issuer: true,
  txid: true,
  endToEndId: true,
  amountCents: true,
  paidAt: true,
}

export const checkFields = (call: string, given: unknown, fields: Fields): Effect.Effect<void, InvalidOption> => {
  const flaw = unknownField(given, fields)
  return flaw === undefined ? Effect.void : Effect.fail(new InvalidOption({ message: `${call}: ${flaw}.` }))
}

export interface RefundInput {
  /**
   * The reason for the refund: 1 to 140 characters of ISO 8859-1, trimmed. It is kept with the refund and sent to the bank,
   * which can show it to the payer. A repeated call doesn't change it. A new request after a failed refund can give a new
   * reason.
   */
  readonly reason?: string | undefined
}

/** Refuses an amount, as a field or a further argument: ignoring it would refund the whole payment. */
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
        message: `${call} refunds the whole payment and takes { reason } alone: to refund a part of a charge, call refundPart(issuer, id, { key, amountCents }).`,
      })
    }
    return refund?.reason === undefined ? undefined : yield* Effect.fromResult(parseRefundReason(refund.reason))
  })

export const isPayable = (cents: unknown): cents is Cents =>
  typeof cents === "number" && Number.isInteger(cents) && cents > 0 && cents <= maximumChargeCents
