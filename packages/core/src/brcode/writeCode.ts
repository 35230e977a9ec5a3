import { writeAmount } from "./Amount.ts"
import type { BrCode, StaticBrCode } from "./BrCode.ts"
import { withoutAccents, withPlainLetters } from "./Characters.ts"
import { appendField, appendFixed, appendHeader, appendPrintable, CheckedText, type Header } from "./CheckedText.ts"
import { fixedText, formatCrc16 } from "./Crc16.ts"
import { maxCityLength, maxNameLength } from "./FieldRules.ts"
import { writeTwoDigits } from "./Tlv.ts"

/** A template holds 99 characters. */
export const templateCapacity = 99

/** The headers of values of up to `longest` characters: what stands `before`, then the length. */
const header = (before: string, maxSize: number): Header =>
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
  ofKey: header(`${before}26`, templateCapacity),
  ofUrl: locationHeader(`${before}26`),
})
const account = accountAfter("000201")
const initiatedAccount = { reusable: accountAfter("000201010211"), singleUse: accountAfter("000201010212") }
const justGui = fixedText(gui)
const key = header(`${gui}01`, 77)
const description = header("02", 77)
const facilitator = header("03", 8)
const category = header("52", 4)
const noCategory = fixedText("520400005303986")
const currency = fixedText("5303986")
const amount = header("54", 13)
const name = header("5802BR59", maxNameLength)
const city = header("60", maxCityLength)
const postalCode = header("61", 99)
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
