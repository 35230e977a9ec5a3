import * as Result from "effect/Result"
import { isCents, maximumChargeCents } from "../money/Money.ts"
import { type BrCode, type StaticBrCode, writeAmount } from "./BrCode.ts"
import { urlViolation } from "./BrCodeUrl.ts"
import { withoutAccents, withPlainLetters } from "./Characters.ts"
import { emptyCrc16, extendFixed, extendPrintable, fixedText, type FixedText, formatCrc16 } from "./Crc16.ts"
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
import { writtenKeyViolation } from "./PixKey.ts"
import { writeTwoDigits } from "./Tlv.ts"

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

/** A template holds 99 characters. */
export const templateCapacity = 99

/** The headers of values of up to `longest` characters: what stands `before`, then the length. */
const headers = (before: string, maxSize: number): Header =>
  Array.from({ length: maxSize + 1 }, (_, size) => fixedText(before + writeTwoDigits(size)))

const gui = "0014br.gov.bcb.pix"
const fieldSpace = (value: string | undefined): number => (value === undefined ? 0 : 4 + value.length)

/** The characters that the account of a static code takes in template 26. */
export const accountSpace = (code: StaticBrCode): number =>
  gui.length + fieldSpace(code.key) + fieldSpace(code.description) + fieldSpace(code.facilitator)

/** The headers of a URL in a template of its own, the lengths of both included. */
const locationHeader = (before: string): Header =>
  Array.from({ length: 78 }, (_, size) =>
    fixedText(`${before}${writeTwoDigits(gui.length + 4 + size)}${gui}25${writeTwoDigits(size)}`),
  )

// Neighbours that never vary are one text, so that they are appended and checked in one step.
const accountAfter = (before: string) => ({
  ofKey: headers(`${before}26`, templateCapacity),
  ofUrl: locationHeader(`${before}26`),
})
const account = accountAfter("000201")
const initiatedAccount = { reusable: accountAfter("000201010211"), singleUse: accountAfter("000201010212") }
const justGui = fixedText(gui)
const key = headers(`${gui}01`, 77)
const description = headers("02", 77)
const facilitator = headers("03", 8)
const category = headers("52", 4)
const noCategory = fixedText("520400005303986")
const currency = fixedText("5303986")
const amount = headers("54", 13)
const name = headers("5802BR59", maxNameLength)
const city = headers("60", maxCityLength)
const postalCode = headers("61", 99)
const txid: Header = Array.from({ length: 26 }, (_, size) =>
  fixedText(`62${writeTwoDigits(4 + size)}05${writeTwoDigits(size)}`),
)
const noTxid = fixedText("62070503***")
const recurrence = locationHeader("80")
const checksum = fixedText("6304")

/**
 * The text of a code whose values have the right form, its checksum computed on the way, in the order of the central
 * bank's examples; `undefined` when a text for people is not printable ASCII, or a name without its accents does not fit.
 */
export const writeCode = (code: BrCode): string | undefined => {
  const out = new CheckedText()
  const payment = code._tag === "Static" ? code : undefined
  appendAccount(out, code)
  if (code.merchantCategoryCode === undefined) appendFixed(out, noCategory)
  else {
    appendField(out, category, code.merchantCategoryCode)
    appendFixed(out, currency)
  }
  appendOptional(out, amount, payment?.amountCents === undefined ? undefined : writeAmount(payment.amountCents))
  appendName(out, name, code.merchantName)
  appendName(out, city, code.merchantCity)
  appendOptional(out, postalCode, code.postalCode)
  if (payment?.txid === undefined) appendFixed(out, noTxid)
  else appendField(out, txid, payment.txid)
  appendOptional(out, recurrence, code.recurrenceUrl)
  appendFixed(out, checksum)
  return out.crc < 0 ? undefined : out.text + formatCrc16(out.crc)
}

const appendOptional = (out: CheckedText, before: Header, value: string | undefined): void => {
  if (value !== undefined) appendField(out, before, value)
}

/** Most names are ASCII, as the checksum finds out by the way, and only the others are rewritten without their accents. */
const appendName = (out: CheckedText, before: Header, value: string): void => {
  const done =
    appendPrintable(out, before, value) ||
    appendPrintable(out, before, withPlainLetters(value)) ||
    appendPrintable(out, before, withoutAccents(value))
  if (!done) out.crc = -1
}

/** The account of a recurrence alone holds the GUI only; EMV wants at least one account. */
const appendAccount = (out: CheckedText, code: BrCode): void => {
  const { ofKey, ofUrl } = code.pointOfInitiation === undefined ? account : initiatedAccount[code.pointOfInitiation]
  if (code._tag === "Dynamic") return appendField(out, ofUrl, code.url)
  if (code._tag === "Recurrence") {
    appendHeader(out, ofKey, gui.length)
    return appendFixed(out, justGui)
  }
  appendHeader(out, ofKey, accountSpace(code))
  appendField(out, key, code.key)
  appendOptional(out, description, code.description)
  appendOptional(out, facilitator, code.facilitator)
}

/** A text in the making, and its checksum: -1 once a value was not printable ASCII. */
export class CheckedText {
  text = ""
  crc = emptyCrc16
}

/** What stands before a value and ends in its length: one text for each number of characters that the value may have. */
export type Header = ReadonlyArray<FixedText>

/** Appends a text known beforehand. */
export const appendFixed = (checked: CheckedText, fixed: FixedText): void => {
  checked.text += fixed.text
  if (checked.crc >= 0) checked.crc = extendFixed(checked.crc, fixed)
}

/** Appends the header of a value that has this many characters. */
export const appendHeader = (checked: CheckedText, header: Header, size: number): void =>
  appendFixed(checked, header[size] as FixedText)

/** Appends a value after its header. */
export const appendField = (checked: CheckedText, header: Header, value: string): void => {
  const fixed = header[value.length] as FixedText
  checked.text = checked.text + fixed.text + value
  if (checked.crc >= 0) checked.crc = extendPrintable(extendFixed(checked.crc, fixed), value)
}

/** Appends a value after its header if there is one for its length, and it is printable ASCII; says whether it did. */
export const appendPrintable = (checked: CheckedText, header: Header, value: string): boolean => {
  const fixed = value === "" ? undefined : header[value.length]
  if (fixed === undefined || checked.crc < 0) return false
  const crc = extendPrintable(extendFixed(checked.crc, fixed), value)
  if (crc < 0) return false
  checked.text = checked.text + fixed.text + value
  checked.crc = crc
  return true
}
