import { InvalidOption } from "@pixcharge/core"
import type {
  AdditionalInfo,
  ChargeRequestInput,
  PartialRefundInput,
  PaymentNoticeInput,
} from "@pixcharge/core/charges"
import { type Fields, type FieldsOf, unknownField } from "@pixcharge/core/internal"
import type { RecurrenceRequestInput } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type { RefundInput } from "./pix/RefundInput.ts"

const payer: FieldsOf<NonNullable<ChargeRequestInput["payer"]>> = { name: true, taxId: true }
const additionalInfo: FieldsOf<AdditionalInfo> = { name: true, value: true }

export const chargeRequestFields: FieldsOf<ChargeRequestInput> = {
  id: true,
  amountCents: true,
  dueDate: true,
  payer,
  payableForSeconds: true,
  messageToPayer: true,
  additionalInfo,
}

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
  payer,
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

export const refundFields: FieldsOf<RefundInput> = { reason: true }

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
