import * as Result from "effect/Result"
import { isCents, maximumChargeCents } from "../money/Money.ts"
import { writeAmount } from "./Amount.ts"
import type { BrCode, StaticBrCode } from "./BrCode.ts"
import { violationOfUrl } from "./BrCodeUrl.ts"
import { withoutAccents } from "./Characters.ts"
import {
  longestCity,
  longestName,
  violationBetweenFields,
  violationOfCategoryCode,
  violationOfFacilitator,
  violationOfSize,
  violationOfText,
  violationOfTxid,
} from "./FieldRules.ts"
import { type BrCodeViolation, InvalidBrCode, violation } from "./InvalidBrCode.ts"
import { violationOfWrittenKey } from "./PixKey.ts"
import { spaceOfAccount, templateCapacity, writeCode } from "./writeCode.ts"

/**
 * Writes a BR Code, the very text of QR image and Pix Copia e Cola, or says which field breaks which rule.
 *
 * Nothing is cut short, padded or rounded. Name and city lose their accents; every other text is written as it is or
 * refused. A dynamic code carries neither amount nor txid (Manual §2.7). At most 448 characters result, below the 512 that
 * API Pix grants `pixCopiaECola`.
 */
export const encodeBrCode = (code: BrCode): Result.Result<string, InvalidBrCode> => {
  const broken = violationOfKind(code) ?? violationBetweenFields(code) ?? violationOfMerchant(code)
  if (broken !== undefined) return Result.fail(new InvalidBrCode(broken))
  const text = writeCode(code)
  return text === undefined
    ? Result.fail(new InvalidBrCode(violationOfTexts(code) as BrCodeViolation))
    : Result.succeed(text)
}

const violationOfKind = (code: BrCode): BrCodeViolation | undefined => {
  switch (code._tag) {
    case "Static":
      return violationOfStatic(code) ?? violationOfRecurrence(code.recurrenceUrl)
    case "Dynamic":
      return violationOfUrl(26, code.url) ?? violationOfRecurrence(code.recurrenceUrl)
    case "Recurrence":
      return violationOfUrl(80, code.recurrenceUrl)
    default:
      return violation("code", "kind", "is none of Static, Dynamic and Recurrence")
  }
}

const violationOfRecurrence = (url: string | undefined): BrCodeViolation | undefined =>
  url === undefined ? undefined : violationOfUrl(80, url)

const violationOfStatic = (code: StaticBrCode): BrCodeViolation | undefined =>
  violationOfWrittenKey(code.key) ??
  (code.description === undefined ? undefined : violationOfSize("26.02", code.description, templateCapacity)) ??
  (code.facilitator === undefined ? undefined : violationOfFacilitator(26, code.facilitator)) ??
  violationOfBudget(code) ??
  (code.amountCents === undefined ? undefined : violationOfAmount(code.amountCents)) ??
  (code.txid === undefined ? undefined : violationOfTxid(code.txid))

/** GUI, key, description and facilitator share the 99 characters of template 26, id and length of each included. */
const violationOfBudget = (code: StaticBrCode): BrCodeViolation | undefined => {
  const size = spaceOfAccount(code)
  return size <= templateCapacity
    ? undefined
    : violation("26", "budget", `needs ${size} characters for GUI, key, description and facilitator, 99 at most`)
}

const violationOfAmount = (cents: number): BrCodeViolation | undefined => {
  if (!isCents(cents)) return violation("54", "amount", "must be a whole, non-negative number of centavos")
  if (cents <= maximumChargeCents || writeAmount(cents) !== undefined) return undefined
  return violation("54", "size", "needs more than 13 characters")
}

const longestPostalCode = 99

const violationOfMerchant = (code: BrCode): BrCodeViolation | undefined => {
  const { merchantCategoryCode, merchantCity, merchantName, pointOfInitiation, postalCode } = code
  return (
    violationOfSize("59", merchantName, Infinity) ??
    violationOfSize("60", merchantCity, Infinity) ??
    (postalCode === undefined ? undefined : violationOfSize("61", postalCode, longestPostalCode)) ??
    (merchantCategoryCode === undefined ? undefined : violationOfCategoryCode(merchantCategoryCode)) ??
    (pointOfInitiation === undefined || pointOfInitiation === "reusable" || pointOfInitiation === "singleUse"
      ? undefined
      : violation("01", "value", "must be reusable or singleUse"))
  )
}

/** Which of the texts for people kept the code from being written; name and city count without their accents. */
const violationOfTexts = (code: BrCode): BrCodeViolation | undefined => {
  const description = code._tag === "Static" ? code.description : undefined
  return (
    (description === undefined ? undefined : violationOfText("26.02", description, templateCapacity)) ??
    violationOfText("59", withoutAccents(code.merchantName), longestName) ??
    violationOfText("60", withoutAccents(code.merchantCity), longestCity) ??
    (code.postalCode === undefined ? undefined : violationOfText("61", code.postalCode, longestPostalCode))
  )
}
