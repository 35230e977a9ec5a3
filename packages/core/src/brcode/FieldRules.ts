import type { BrCode } from "./BrCode.ts"
import { haveSameHost } from "./BrCodeUrl.ts"
import { isAlphanumeric, isPrintable } from "./Characters.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { fieldName } from "./Tlv.ts"

/** The most characters of a merchant's name (59). */
export const maxNameLength = 25

/** The most characters of a merchant's city (60). */
export const maxCityLength = 15

/** Field 52, the merchant category code, is four digits. */
export const categoryCodeViolation = (code: string): BrCodeViolation | undefined =>
  typeof code === "string" && /^\d\d\d\d$/.test(code)
    ? undefined
    : violation("52", "value", "must be a merchant category code of four digits")

/** The facilitator (fss) is an ISPB: 8 digits or capital letters (API Pix 2.9.0). */
export const facilitatorViolation = (template: number, ispb: string): BrCodeViolation | undefined =>
  typeof ispb === "string" && /^[0-9A-Z]{8}$/.test(ispb)
    ? undefined
    : violation(fieldName(template, 3), "facilitator", "must be an ISPB of 8 digits or capitals")

/** A text is there and fits. */
export const sizeViolation = (field: string, text: string, maxSize: number): BrCodeViolation | undefined => {
  if (typeof text !== "string" || text === "") return violation(field, "missing", "is missing")
  return text.length > maxSize
    ? violation(field, "size", `has ${text.length} characters, ${maxSize} at most`)
    : undefined
}

/** A name or city is there, and neither begins nor ends with a blank: payers would see none, or one that is cut off. */
export const blanksViolation = (field: string, text: string): BrCodeViolation | undefined =>
  sizeViolation(field, text, Infinity) ??
  (/^ | $/.test(text) ? violation(field, "blanks", "is blank, or has a blank at an end") : undefined)

/** A text is there, fits, and is printable ASCII, so that characters and bytes are the same number. */
export const textViolation = (field: string, text: string, maxSize: number): BrCodeViolation | undefined =>
  typeof text !== "string" || isPrintable(text)
    ? sizeViolation(field, text, maxSize)
    : violation(field, "characters", "has characters outside printable ASCII")

/** The most characters of a txid in a static code; API Pix allows its own 35. */
const maxTxidLength = 25

/** The txid of a static code is 1 to 25 letters and digits (Manual §2.6.2); banks refuse hyphen and underscore. */
export const txidViolation = (txid: string): BrCodeViolation | undefined =>
  typeof txid === "string" && txid !== "" && txid.length <= maxTxidLength && isAlphanumeric(txid)
    ? undefined
    : violation("62.05", "txid", "must be 1 to 25 letters and digits, or be left out")

/** An amount differs from zero (EMV QRCPS-MPM 4.7.2), unless a facilitator hands out cash. */
export const zeroViolation = (code: BrCode): BrCodeViolation | undefined =>
  code._tag === "Static" && code.amountCents === 0 && code.facilitator === undefined
    ? violation("54", "zero", "must not be zero without a facilitator (Pix Saque)")
    : undefined

/**
 * Rules between fields, the same in writing and reading; `account` and `recurrence` are the ids of the two templates.
 *
 * A composite hands out no cash and keeps both its locations on one host (Manual §2.8.3).
 */
export const violationBetweenFields = (code: BrCode, account = 26, recurrence = 80): BrCodeViolation | undefined => {
  if (code._tag === "Static" && code.facilitator !== undefined && code.recurrenceUrl !== undefined) {
    return violation(fieldName(account, 3), "facilitatorInComposite", "must not stand beside a recurrence")
  }
  if (code._tag === "Dynamic" && code.recurrenceUrl !== undefined && !haveSameHost(code.url, code.recurrenceUrl)) {
    return violation(fieldName(recurrence, 25), "sameHost", `must lie on the same host as ${fieldName(account, 25)}`)
  }
  return undefined
}
