import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { type Cents, isChargeCents } from "../money/Money.ts"
import { type Cnpj, parseCnpj } from "../party/Cnpj.ts"

/** A payment as the processor reports it. */
export interface PaymentNotice {
  readonly issuer: Cnpj
  /** The charge's id at the processor; absent if the payment names no charge. */
  readonly txid?: string
  /** The payment's id in the instant-payment system: 32 letters and digits, globally unique. */
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
}

/** A payment that a host reports, in plain values. */
export interface PaymentNoticeInput {
  readonly issuer: string
  readonly txid?: string | undefined
  readonly endToEndId: string
  /** Integer cents of reais. */
  readonly amountCents: number
  /** Epoch milliseconds. */
  readonly paidAt: number
}

const rules: Record<keyof PaymentNoticeInput, string> = {
  issuer: "must be the CNPJ of the company that was paid",
  txid: "must have 1 to 35 letters and digits, or be left out",
  endToEndId: "must have 32 letters and digits",
  amountCents: "must be a whole number of centavos from 1 to 999999999999",
  paidAt: "must be an instant in whole epoch milliseconds, like date.getTime() gives",
}

/**
 * A field of a payment notice breaks its rule.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected notice.
 */
export class InvalidPaymentNotice extends TaggedError("InvalidPaymentNotice")<{
  readonly field: keyof PaymentNoticeInput
}> {
  override get message(): string {
    return `The payment's ${this.field} ${rules[this.field]}.`
  }
}

const endToEndIdForm = /^[a-zA-Z0-9]{32}$/
const txidForm = /^[a-zA-Z0-9]{1,35}$/
/** The latest instant of a JavaScript date (ECMA-262, 21.4.1.1). */
const latestInstant = 8.64e15

const isText = (value: unknown, form: RegExp): boolean => typeof value === "string" && form.test(value)

export const isEndToEndId = (value: unknown): boolean => isText(value, endToEndIdForm)

const invalid = (field: keyof PaymentNoticeInput) => Result.fail(new InvalidPaymentNotice({ field }))

/**
 * Checks a notice's form; the error names the first wrong field (API Pix: `endToEndId`, `txid`, `valor`).
 *
 * @example
 * ```ts
 * import { parsePaymentNotice } from "@pixcharge/core/charges"
 * import * as Result from "effect/Result"
 *
 * const notice = parsePaymentNotice({ issuer: "11222333000181", endToEndId: "E1", amountCents: 1990, paidAt: 0 })
 * Result.isFailure(notice) && notice.failure.field // => "endToEndId"
 * ```
 */
export const parsePaymentNotice = (input: PaymentNoticeInput): Result.Result<PaymentNotice, InvalidPaymentNotice> => {
  const { txid, endToEndId, amountCents, paidAt, issuer: written } = Object(input) as PaymentNoticeInput
  const issuer = parseCnpj(written)
  if (Result.isFailure(issuer)) return invalid("issuer")
  if (txid !== undefined && !isText(txid, txidForm)) return invalid("txid")
  if (!isEndToEndId(endToEndId)) return invalid("endToEndId")
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
