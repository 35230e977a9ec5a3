import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { type Cents, isChargeCents } from "../money/Money.ts"
import { type Cnpj, parseCnpj } from "../party/Cnpj.ts"

/** What the payment processor says was paid: a fact, whatever we think of it. */
export interface PaymentNotice {
  /** The company that received the money. */
  readonly issuer: Cnpj
  /** The charge's identifier at the processor; absent for a payment that names none. */
  readonly txid?: string
  /** The instant-payment system's own id of the payment: 32 letters and digits, unique for ever. */
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
}

/** A payment that a host learned of itself, in plain values. */
export interface PaymentNoticeInput {
  readonly issuer: string
  readonly txid?: string | undefined
  readonly endToEndId: string
  /** Integer cents of reais. */
  readonly amountCents: number
  /** Epoch milliseconds. */
  readonly paidAt: number
}

/** A field of a notice can't be true. */
export class InvalidPaymentNotice extends Data.TaggedError("InvalidPaymentNotice")<{
  readonly field: keyof PaymentNoticeInput
}> {}

const endToEndIdForm = /^[a-zA-Z0-9]{32}$/
const txidForm = /^[a-zA-Z0-9]{1,35}$/
/** The last instant that every JavaScript date can hold (ECMA-262, 21.4.1.1). */
const latestInstant = 8.64e15

const invalid = (field: keyof PaymentNoticeInput) => Result.fail(new InvalidPaymentNotice({ field }))

/**
 * Checks a notice's form, the first wrong field named (API Pix: `endToEndId`, `txid`, `valor`).
 *
 * @example
 * ```ts
 * import { parsePaymentNotice } from "@pixcharge/core/charge"
 * import * as Result from "effect/Result"
 *
 * const notice = parsePaymentNotice({ issuer: "11222333000181", endToEndId: "E1", amountCents: 1990, paidAt: 0 })
 * Result.isFailure(notice) && notice.failure.field // => "endToEndId"
 * ```
 */
export const parsePaymentNotice = (input: PaymentNoticeInput): Result.Result<PaymentNotice, InvalidPaymentNotice> => {
  const { txid, endToEndId, amountCents, paidAt } = input
  const issuer = parseCnpj(input.issuer)
  if (Result.isFailure(issuer)) return invalid("issuer")
  if (txid !== undefined && !txidForm.test(txid)) return invalid("txid")
  if (!endToEndIdForm.test(endToEndId)) return invalid("endToEndId")
  if (!isChargeCents(amountCents)) return invalid("amountCents")
  if (!Number.isInteger(paidAt) || Math.abs(paidAt) > latestInstant) return invalid("paidAt")
  return Result.succeed({
    issuer: issuer.success,
    endToEndId,
    amountCents,
    paidAt,
    ...(txid !== undefined && { txid }),
  })
}
