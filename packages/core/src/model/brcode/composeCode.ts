import * as Result from "effect/Result"
import {
  amountViolation,
  type BrCode,
  type DynamicBrCode,
  readAmount,
  type RecurrenceBrCode,
  type StaticBrCode,
  urlViolation,
} from "./BrCode.ts"
import {
  type CompleteFields,
  facilitatorViolation,
  noTxid,
  type PixTemplate,
  txidViolation,
  violationBetweenFields,
  zeroViolation,
} from "./Fields.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { isReadableKey } from "./PixKey.ts"
import { fieldName, writeTwoDigits } from "./Tlv.ts"

type Broken = BrCodeViolation | undefined
type Read<A> = Result.Result<A, BrCodeViolation>
type Draft<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * A code with a key is static, a code with a URL dynamic. A code with neither needs a recurrence (Manual §2.5 to §2.8).
 */
export const composeCode = (fields: CompleteFields): Read<BrCode> => {
  const { account, recurrence } = fields
  const flaw = recurrence && locationViolation(recurrence)
  if (flaw !== undefined) return Result.fail(flaw)
  const composed: Read<Draft<BrCode>> =
    account.key !== undefined
      ? composeStatic(fields, account.key)
      : account.url !== undefined
        ? composeDynamic(fields, account.url)
        : composeRecurrence(fields)
  if (Result.isFailure(composed)) return composed
  const code = composed.success
  if (fields.postalCode !== undefined) code.postalCode = fields.postalCode
  if (fields.category !== "0000") code.merchantCategoryCode = fields.category
  if (fields.pointOfInitiation !== undefined) code.pointOfInitiation = fields.pointOfInitiation
  const clash = violationBetweenFields(code, account.id, recurrence?.id)
  return clash === undefined ? Result.succeed(code) : Result.fail(clash)
}

const composeStatic = (fields: CompleteFields, key: string): Read<Draft<StaticBrCode>> => {
  const { account, amount, city, forgiven, name, recurrence, txid } = fields
  const { description, facilitator, id } = account
  const broken =
    (account.url === undefined
      ? undefined
      : violation(fieldName(id, 25), "keyAndUrl", "can't be combined with a key")) ??
    (isReadableKey(key) ? undefined : violation(fieldName(id, 1), "key", "has a space or is not printable ASCII")) ??
    (facilitator === undefined ? undefined : facilitatorViolation(id, facilitator)) ??
    readTxidViolation(txid, forgiven)
  if (broken !== undefined) return Result.fail(broken)

  const code: Draft<StaticBrCode> = { _tag: "Static", merchantName: name, merchantCity: city, key }
  if (description !== undefined) code.description = description
  if (facilitator !== undefined) code.facilitator = facilitator
  if (amount !== undefined) {
    const cents = readAmount(amount)
    if (cents === -1) return Result.fail(amountViolation(amount))
    code.amountCents = cents
    const zero = zeroViolation(code)
    if (zero !== undefined) forgiven.push(zero)
  }
  if (txid !== noTxid) code.txid = txid
  if (recurrence?.url !== undefined) code.recurrenceUrl = recurrence.url
  return Result.succeed(code)
}

/** The central bank's own example has a hyphen in its txid. */
const punctuated = /^[A-Za-z0-9_-]{1,25}$/

const readTxidViolation = (txid: string, forgiven: Array<BrCodeViolation>): Broken => {
  const flaw = txid === noTxid ? undefined : txidViolation(txid)
  if (flaw === undefined || !punctuated.test(txid)) return flaw
  forgiven.push(flaw)
  return undefined
}

const composeDynamic = (fields: CompleteFields, url: string): Read<Draft<DynamicBrCode>> => {
  const broken = locationViolation(fields.account)
  if (broken !== undefined) return Result.fail(broken)
  forgivePayment(fields)
  const code: Draft<DynamicBrCode> = { _tag: "Dynamic", merchantName: fields.name, merchantCity: fields.city, url }
  if (fields.recurrence?.url !== undefined) code.recurrenceUrl = fields.recurrence.url
  return Result.succeed(code)
}

const composeRecurrence = (fields: CompleteFields): Read<Draft<RecurrenceBrCode>> => {
  const { account, city, name, recurrence } = fields
  if (recurrence?.url === undefined) {
    return Result.fail(violation(writeTwoDigits(account.id), "missing", "has neither a key (01) nor a URL (25)"))
  }
  const broken = otherFieldsViolation(account)
  if (broken !== undefined) return Result.fail(broken)
  forgivePayment(fields)
  return Result.succeed({ _tag: "Recurrence", merchantName: name, merchantCity: city, recurrenceUrl: recurrence.url })
}

/** Forgives an ill-formed amount or txid (Manual §2.7). */
const forgivePayment = ({ amount, forgiven, txid }: CompleteFields): void => {
  if (amount !== undefined && readAmount(amount) === -1) forgiven.push(amountViolation(amount))
  const flaw = txid === noTxid ? undefined : txidViolation(txid)
  if (flaw !== undefined) forgiven.push(flaw)
}

const locationViolation = (template: PixTemplate): Broken =>
  template.url === undefined
    ? violation(fieldName(template.id, 25), "missing", "is missing: the location of the recurrence")
    : (urlViolation(template.id, template.url) ?? otherFieldsViolation(template))

/** Refuses any field besides the URL in a template without a key (Manual §2.7, §2.8). */
const otherFieldsViolation = ({ description, facilitator, id, key, others }: PixTemplate): Broken => {
  const field =
    key !== undefined
      ? fieldName(id, 1)
      : description !== undefined
        ? fieldName(id, 2)
        : facilitator !== undefined
          ? fieldName(id, 3)
          : others?.[0]?.field
  return field === undefined ? undefined : violation(field, "unexpected", "has no place in this template")
}
