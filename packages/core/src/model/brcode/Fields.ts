import { type BrCode, type BrCodeMerchant, haveSameHost } from "./BrCode.ts"
import { isAlphanumeric, isPrintable, withoutAccents } from "./Characters.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { checksumId, fieldName, type Source, writeTwoDigits } from "./Tlv.ts"

export const maxNameLength = 25

export const maxCityLength = 15

export const categoryCodeViolation = (code: string): BrCodeViolation | undefined =>
  typeof code === "string" && /^\d\d\d\d$/.test(code)
    ? undefined
    : violation("52", "value", "must be a merchant category code of four digits")

/** The facilitator (fss) is an ISPB (API Pix 2.9.0). */
export const facilitatorViolation = (template: number, ispb: string): BrCodeViolation | undefined =>
  typeof ispb === "string" && /^[0-9A-Z]{8}$/.test(ispb)
    ? undefined
    : violation(fieldName(template, 3), "facilitator", "must be an ISPB of 8 digits or capitals")

export const sizeViolation = (field: string, text: string, maxSize: number): BrCodeViolation | undefined => {
  if (typeof text !== "string" || text === "") return violation(field, "missing", "is missing")
  return text.length > maxSize
    ? violation(field, "size", `has ${text.length} characters, ${maxSize} at most`)
    : undefined
}

export const blanksViolation = (field: string, text: string): BrCodeViolation | undefined =>
  sizeViolation(field, text, Infinity) ??
  (/^ | $/.test(text) ? violation(field, "blanks", "is blank, or has a blank at an end") : undefined)

export const textViolation = (field: string, text: string, maxSize: number): BrCodeViolation | undefined =>
  typeof text !== "string" || isPrintable(text)
    ? sizeViolation(field, text, maxSize)
    : violation(field, "characters", "has characters outside printable ASCII")

/** API Pix allows 35 characters in the txid of a dynamic code's charge. */
const maxTxidLength = 25

/** Manual §2.6.2. Banks refuse hyphen and underscore. */
export const txidViolation = (txid: string): BrCodeViolation | undefined =>
  typeof txid === "string" && txid !== "" && txid.length <= maxTxidLength && isAlphanumeric(txid)
    ? undefined
    : violation("62.05", "txid", "must be 1 to 25 letters and digits, or be left out")

/** Refuses an amount of zero without a facilitator (EMV QRCPS-MPM 4.7.2). */
export const zeroViolation = (code: BrCode): BrCodeViolation | undefined =>
  code._tag === "Static" && code.amountCents === 0 && code.facilitator === undefined
    ? violation("54", "zero", "must not be zero without a facilitator (Pix Saque)")
    : undefined

/**
 * A code with a payment and a recurrence can't hand out cash, and both locations have the same host (Manual §2.8.3).
 */
export const violationBetweenFields = (code: BrCode, account = 26, recurrence = 80): BrCodeViolation | undefined => {
  if (code._tag === "Static" && code.facilitator !== undefined && code.recurrenceUrl !== undefined) {
    return violation(fieldName(account, 3), "facilitatorInComposite", "can't be combined with a recurrence")
  }
  if (code._tag === "Dynamic" && code.recurrenceUrl !== undefined && !haveSameHost(code.url, code.recurrenceUrl)) {
    return violation(fieldName(recurrence, 25), "sameHost", `must have the same host as ${fieldName(account, 25)}`)
  }
  return undefined
}

/** A field that isn't part of Pix, unchanged: `"04"`, another account's `"27"`, `"62.50"`. */
export interface UnrelatedField {
  readonly field: string
  readonly value: string
}

/** An account (26 to 51) or a recurrence (80 to 99). */
export class PixTemplate {
  readonly id: number
  isPix = false
  key: string | undefined
  description: string | undefined
  facilitator: string | undefined
  url: string | undefined
  others: Array<UnrelatedField> | undefined

  constructor(id: number) {
    this.id = id
  }
}

const gui = "br.gov.bcb.pix"

/** The GUI is case-insensitive (Manual §2.5). */
const isGui = (text: string, start: number, end: number): boolean =>
  end - start === gui.length && (text.startsWith(gui, start) || text.slice(start, end).toLowerCase() === gui)

export const readTemplate = (
  source: Source,
  template: PixTemplate,
  start: number,
  end: number,
): BrCodeViolation | undefined =>
  source.visitFields(start, end, template.id, (id, from, to) => {
    const { text } = source
    if (id === 0) template.isPix = isGui(text, from, to)
    else if (id === 1) template.key = text.slice(from, to)
    else if (id === 2) template.description = text.slice(from, to)
    else if (id === 3) template.facilitator = text.slice(from, to)
    else if (id === 25) template.url = text.slice(from, to)
    else (template.others ??= []).push({ field: fieldName(template.id, id), value: text.slice(from, to) })
    return undefined
  })

export class CodeFields {
  firstId: number | undefined
  lastId: number | undefined
  hasFormat = false
  hasCurrency = false
  hasCountry = false
  pointOfInitiation: "reusable" | "singleUse" | undefined
  category: string | undefined
  amount: string | undefined
  name: string | undefined
  city: string | undefined
  postalCode: string | undefined
  /** `txid` is field 62.05 unchanged, `***` included. */
  hasAdditional = false
  txid: string | undefined
  account: PixTemplate | undefined
  recurrence: PixTemplate | undefined
  otherAccountId: number | undefined
  readonly unrelated: Array<UnrelatedField> = []
  readonly forgiven: Array<BrCodeViolation> = []
}

export interface CompleteFields extends CodeFields {
  category: string
  name: string
  city: string
  txid: string
  account: PixTemplate
}

export const noTxid = "***"

/** Requires the mandatory fields, with 00 first and 63 last (Manual §2.5, §2.6). */
export const missingFieldViolation = (fields: CodeFields): BrCodeViolation | undefined => {
  if (!fields.hasFormat) return violation("00", "missing", "is missing: a BR Code starts with 000201")
  if (fields.firstId !== 0) return violation("00", "first", "must be the first field")
  if (fields.lastId !== checksumId) return violation("63", "missing", "is missing: a BR Code ends in its checksum")
  if (fields.account === undefined) return noAccount(fields)
  if (fields.category === undefined) return missing("52")
  if (!fields.hasCurrency) return missing("53")
  if (!fields.hasCountry) return missing("58")
  if (fields.name === undefined) return missing("59")
  if (fields.city === undefined) return missing("60")
  if (!fields.hasAdditional) return violation("62", "missing", "is missing: it holds at least 0503***")
  return fields.txid === undefined ? violation("62.05", "missing", "is missing: it must be *** for no txid") : undefined
}

/** Forgives only a missing field 62. */
export const forgiveLeftOut = (fields: CodeFields, broken: BrCodeViolation): boolean => {
  if (broken.field !== "62" || broken.rule !== "missing") return false
  fields.forgiven.push(broken)
  fields.txid = noTxid
  return true
}

const missing = (field: string): BrCodeViolation => violation(field, "missing", "is missing")

const noAccount = ({ otherAccountId }: CodeFields): BrCodeViolation =>
  otherAccountId === undefined
    ? violation("26", "missing", "is missing: no account from 26 to 51 says where to pay")
    : violation(writeTwoDigits(otherAccountId), "notPix", "is not of br.gov.bcb.pix, nor is any account from 26 to 51")

const anyName = "Recebedor"
const anyCity = "Brasil"

const fit = (text: string, maxSize: number): string =>
  withoutAccents(text)
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim()
    .slice(0, maxSize)
    .trimEnd()

/**
 * Cuts a receiver's name and city to fields 59 and 60: 25 and 15 characters of ASCII, without accents or a space at the
 * end.
 *
 * @example
 * ```ts
 * import { fitMerchant } from "@pixcharge/core/brcode"
 *
 * fitMerchant({ name: "Padaria São José", city: "São José dos Campos" }).merchantCity // => "Sao Jose dos Ca"
 * ```
 */
export const fitMerchant = (receiver: {
  readonly name: string
  readonly city: string
}): Pick<BrCodeMerchant, "merchantName" | "merchantCity"> => ({
  merchantName: fit(receiver.name, maxNameLength) || anyName,
  merchantCity: fit(receiver.city, maxCityLength) || anyCity,
})
