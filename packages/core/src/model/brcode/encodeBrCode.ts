import * as Result from "effect/Result"
import { isCents, maximumChargeCents } from "../money/Money.ts"
import { type BrCode, type StaticBrCode, urlViolation, writeAmount } from "./BrCode.ts"
import { isPrintable, withoutAccents } from "./Characters.ts"
import { crc16OfPrintable, formatCrc16 } from "./Crc16.ts"
import {
  blanksViolation,
  categoryCodeViolation,
  facilitatorViolation,
  maxCityLength,
  maxNameLength,
  sizeViolation,
  textViolation,
  txidViolation,
  violationBetweenFields,
  zeroViolation,
} from "./Fields.ts"
import { type BrCodeViolation, InvalidBrCode, violation } from "./InvalidBrCode.ts"
import { pixKeyViolation } from "./PixKey.ts"
import { writeTwoDigits } from "./Tlv.ts"

/**
 * Writes a BR Code, the text of a QR image and of Pix Copia e Cola, or names the field and the rule that it breaks.
 *
 * Drops accents in name and city; never cuts, pads or rounds. A dynamic code contains neither amount nor txid (Manual
 * §2.7). The result has at most 448 characters.
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
      return violation("code", "kind", "must be Static, Dynamic or Recurrence")
  }
}

const recurrenceViolation = (url: string | undefined): BrCodeViolation | undefined =>
  url === undefined ? undefined : urlViolation(80, url)

const staticViolation = (code: StaticBrCode): BrCodeViolation | undefined =>
  pixKeyViolation(code.key) ??
  (code.description === undefined ? undefined : sizeViolation("26.02", code.description, templateCapacity)) ??
  (code.facilitator === undefined ? undefined : facilitatorViolation(26, code.facilitator)) ??
  budgetViolation(code) ??
  (code.amountCents === undefined ? undefined : amountViolation(code.amountCents)) ??
  (code.txid === undefined ? undefined : txidViolation(code.txid))

/** GUI, key, description and facilitator share the 99 characters of template 26. */
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

const textsViolation = (code: BrCode): BrCodeViolation | undefined => {
  const description = code._tag === "Static" ? code.description : undefined
  return (
    (description === undefined ? undefined : textViolation("26.02", description, templateCapacity)) ??
    textViolation("59", withoutAccents(code.merchantName), maxNameLength) ??
    textViolation("60", withoutAccents(code.merchantCity), maxCityLength) ??
    (code.postalCode === undefined ? undefined : textViolation("61", code.postalCode, maxPostalCodeLength))
  )
}

const templateCapacity = 99

const gui = "0014br.gov.bcb.pix"
const fieldSpace = (value: string | undefined): number => (value === undefined ? 0 : 4 + value.length)

const accountSpace = (code: StaticBrCode): number =>
  gui.length + fieldSpace(code.key) + fieldSpace(code.description) + fieldSpace(code.facilitator)

const field = (id: string, value: string): string => id + writeTwoDigits(value.length) + value

const optionalField = (id: string, value: string | undefined): string => (value === undefined ? "" : field(id, value))

const initiations = { reusable: "010211", singleUse: "010212" }

const writeCode = (code: BrCode): string | undefined => {
  const { merchantCategoryCode = "0000", pointOfInitiation, postalCode, recurrenceUrl } = code
  const name = writeName(code.merchantName, maxNameLength)
  const city = writeName(code.merchantCity, maxCityLength)
  if (name === undefined || city === undefined) return undefined
  const { amountCents, txid = "***" } = code._tag === "Static" ? code : {}
  const text =
    "000201" +
    (pointOfInitiation === undefined ? "" : initiations[pointOfInitiation]) +
    field("26", gui + writeAccount(code)) +
    field("52", merchantCategoryCode) +
    "5303986" +
    (amountCents === undefined ? "" : field("54", writeAmount(amountCents) as string)) +
    "5802BR" +
    field("59", name) +
    field("60", city) +
    optionalField("61", postalCode) +
    field("62", field("05", txid)) +
    (recurrenceUrl === undefined ? "" : field("80", gui + field("25", recurrenceUrl))) +
    "6304"
  const crc = crc16OfPrintable(text)
  return crc < 0 ? undefined : text + formatCrc16(crc)
}

/** EMV requires an account, even of a recurrence alone: it then contains only the GUI. */
const writeAccount = (code: BrCode): string => {
  switch (code._tag) {
    case "Static":
      return field("01", code.key) + optionalField("02", code.description) + optionalField("03", code.facilitator)
    case "Dynamic":
      return field("25", code.url)
    case "Recurrence":
      return ""
  }
}

/** Drops accents if the name isn't printable ASCII; undefined if it still doesn't fit. */
const writeName = (name: string, maxLength: number): string | undefined => {
  const fits = (text: string) => text !== "" && text.length <= maxLength && isPrintable(text)
  if (fits(name)) return name
  const plain = withoutAccents(name)
  return fits(plain) ? plain : undefined
}
