import * as Result from "effect/Result"
import { isCents, maximumChargeCents } from "../money/Money.ts"
import { writeAmount } from "./Amount.ts"
import type { BrCode, StaticBrCode } from "./BrCode.ts"
import { urlViolation } from "./BrCodeUrl.ts"
import { withoutAccents } from "./Characters.ts"
import {
  maxCityLength,
  maxNameLength,
  blanksViolation,
  violationBetweenFields,
  categoryCodeViolation,
  facilitatorViolation,
  sizeViolation,
  textViolation,
  txidViolation,
  zeroViolation,
} from "./FieldRules.ts"
import { type BrCodeViolation, InvalidBrCode, violation } from "./InvalidBrCode.ts"
import { writtenKeyViolation } from "./PixKey.ts"
import { accountSpace, templateCapacity, writeCode } from "./writeCode.ts"

/**
 * Writes a BR Code, the very text of QR image and Pix Copia e Cola, or says which field breaks which rule.
 *
 * Nothing is cut short, padded or rounded. Name and city lose their accents; every other text is written as it is or
 * refused. A dynamic code carries neither amount nor txid (Manual §2.7). At most 448 characters result, below the 512 that
 * API Pix grants `pixCopiaECola`.
 *
 * @example
 * ```ts
 * import { encodeBrCode } from "@pixcharge/core/brcode"
 * import * as Result from "effect/Result"
 *
 * const text = encodeBrCode({ _tag: "Static", merchantName: "Padaria", merchantCity: "Recife", key: "a@example.com" })
 * Result.getOrThrow(text).slice(-8) // => "63041AB2"
 * ```
 */
export const encodeBrCode = (code: BrCode): Result.Result<string, InvalidBrCode> => {
  const broken = kindViolation(code) ?? zeroViolation(code) ?? violationBetweenFields(code) ?? merchantViolation(code)
  if (broken !== undefined) return Result.fail(new InvalidBrCode(broken))
  const text = writeCode(code)
  return text === undefined
    ? Result.fail(new InvalidBrCode(textsViolation(code) as BrCodeViolation))
    : Result.succeed(text)
}

const kindViolation = (code: BrCode): BrCodeViolation | undefined => {
  switch (code._tag) {
    case "Static":
      return staticViolation(code) ?? recurrenceViolation(code.recurrenceUrl)
    case "Dynamic":
      return urlViolation(26, code.url) ?? recurrenceViolation(code.recurrenceUrl)
    case "Recurrence":
      return urlViolation(80, code.recurrenceUrl)
    default:
      return violation("code", "kind", "is none of Static, Dynamic and Recurrence")
  }
}

const recurrenceViolation = (url: string | undefined): BrCodeViolation | undefined =>
  url === undefined ? undefined : urlViolation(80, url)

const staticViolation = (code: StaticBrCode): BrCodeViolation | undefined =>
  writtenKeyViolation(code.key) ??
  (code.description === undefined ? undefined : sizeViolation("26.02", code.description, templateCapacity)) ??
  (code.facilitator === undefined ? undefined : facilitatorViolation(26, code.facilitator)) ??
  budgetViolation(code) ??
  (code.amountCents === undefined ? undefined : amountViolation(code.amountCents)) ??
  (code.txid === undefined ? undefined : txidViolation(code.txid))

/** GUI, key, description and facilitator share the 99 characters of template 26, id and length of each included. */
const budgetViolation = (code: StaticBrCode): BrCodeViolation | undefined => {
  const size = accountSpace(code)
  return size <= templateCapacity
    ? undefined
    : violation("26", "budget", `needs ${size} characters for GUI, key, description and facilitator, 99 at most`)
}

const amountViolation = (cents: number): BrCodeViolation | undefined => {
  if (!isCents(cents)) return violation("54", "amount", "must be a whole, non-negative number of centavos")
  if (cents <= maximumChargeCents || writeAmount(cents) !== undefined) return undefined
  return violation("54", "size", "needs more than 13 characters")
}

const maxPostalCodeLength = 99

const merchantViolation = (code: BrCode): BrCodeViolation | undefined => {
  const { merchantCategoryCode, merchantCity, merchantName, pointOfInitiation, postalCode } = code
  return (
    blanksViolation("59", merchantName) ??
    blanksViolation("60", merchantCity) ??
    (postalCode === undefined ? undefined : sizeViolation("61", postalCode, maxPostalCodeLength)) ??
    (merchantCategoryCode === undefined ? undefined : categoryCodeViolation(merchantCategoryCode)) ??
    (pointOfInitiation === undefined || pointOfInitiation === "reusable" || pointOfInitiation === "singleUse"
      ? undefined
      : violation("01", "value", "must be reusable or singleUse"))
  )
}

/** Which of the texts for people kept the code from being written; name and city count without their accents. */
const textsViolation = (code: BrCode): BrCodeViolation | undefined => {
  const description = code._tag === "Static" ? code.description : undefined
  return (
    (description === undefined ? undefined : textViolation("26.02", description, templateCapacity)) ??
    textViolation("59", withoutAccents(code.merchantName), maxNameLength) ??
    textViolation("60", withoutAccents(code.merchantCity), maxCityLength) ??
    (code.postalCode === undefined ? undefined : textViolation("61", code.postalCode, maxPostalCodeLength))
  )
}
