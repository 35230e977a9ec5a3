import * as Result from "effect/Result"
import { amountViolation, type BrCode, readAmount } from "./BrCode.ts"
import { isPrintable, isUnreadable } from "./Characters.ts"
import { checksumViolation, crc16, crc16OfPrintable, hasChecksumAtEnd } from "./Crc16.ts"
import {
  categoryCodeViolation,
  CodeFields,
  type CompleteFields,
  forgiveLeftOut,
  maxCityLength,
  maxNameLength,
  missingFieldViolation,
  PixTemplate,
  readTemplate,
  type UnrelatedField,
} from "./Fields.ts"
import { type BrCodeViolation, InvalidBrCode, violation } from "./InvalidBrCode.ts"
import { countCharacters, fieldName, matchesAt, Source, theTop, writeTwoDigits } from "./Tlv.ts"
import { composeCode } from "./composeCode.ts"

/** `lenient` accepts known mistakes of official examples and banks, and reports them. */
export type BrCodeReading = "strict" | "lenient"

export interface DecodedBrCode {
  readonly code: BrCode
  /** Fields that aren't part of Pix, in their order. */
  readonly unrelated: ReadonlyArray<UnrelatedField>
  /** The broken rules that a lenient reading forgave. */
  readonly forgiven: ReadonlyArray<BrCodeViolation>
}

/**
 * Reads a BR Code, or names the field and the rule that it breaks. Never guesses or repairs.
 *
 * A lenient reading forgives only this: non-ASCII characters in texts for people, a name above 25 or a city above 15
 * characters, hyphen and underscore in a txid, a missing field 62, an amount of zero beside a key, small letters in the
 * checksum, and an ill-formed amount or txid in a code without a key, where readers ignore both (Manual §2.7).
 *
 * @example
 * ```ts
 * import { decodeBrCode } from "@pixcharge/core/brcode"
 * import * as Result from "effect/Result"
 *
 * const decoded = decodeBrCode("no BR Code")
 * Result.isFailure(decoded) && decoded.failure.rule // => "id"
 * ```
 */
export const decodeBrCode = (
  text: string,
  reading: BrCodeReading = "strict",
): Result.Result<DecodedBrCode, InvalidBrCode> => {
  const fields = new CodeFields()
  const broken = textViolation(text, fields)
  if (broken !== undefined) return Result.fail(new InvalidBrCode(broken))
  const code = composeCode(fields as CompleteFields)
  if (Result.isFailure(code)) return Result.fail(new InvalidBrCode(code.failure))
  const { forgiven, unrelated } = fields
  const first = forgiven[0]
  return first === undefined || reading === "lenient"
    ? Result.succeed({ code: code.success, unrelated, forgiven })
    : Result.fail(new InvalidBrCode(first))
}

const maxCodeSize = 512

/** A character has at most two UTF-16 units: a text above twice the limit needs no count. */
const isTooLong = (text: string): boolean =>
  text.length > maxCodeSize && (text.length > 2 * maxCodeSize || countCharacters(text, 0, text.length) > maxCodeSize)

/** The checksum comes first, because an altered text has no trustworthy field. */
const textViolation = (text: string, fields: CodeFields): BrCodeViolation | undefined => {
  if (typeof text !== "string") return violation("code", "text", "is not a string")
  if (isTooLong(text)) return violation("code", "size", `has more than ${maxCodeSize} characters`)
  const end = text.length - 4
  const crc = crc16OfPrintable(text, end)
  const hasChecksum = hasChecksumAtEnd(text)
  const mismatch = hasChecksum ? checksumViolation(text, crc < 0 ? crc16(text, end) : crc, fields.forgiven) : undefined
  if (mismatch !== undefined) return mismatch
  const printable = hasChecksum && crc >= 0
  const reader = new CodeReader(new Source(text, !printable && /[\ud800-\udfff]/.test(text)), fields)
  const firstFlaw = reader.readFields() ?? missingFieldViolation(fields)
  const broken = firstFlaw && explainMisalignment(text, fields, firstFlaw)
  if (broken !== undefined && !forgiveLeftOut(fields, broken)) return broken
  return printable ? undefined : reader.characterViolation(0, text.length, theTop)
}

type Broken = BrCodeViolation | undefined

const isAccount = (id: number): boolean => id >= 26 && id <= 51

const isTemplate = (id: number): boolean => isAccount(id) || id === 62 || id === 64 || id >= 80

class CodeReader {
  readonly #source: Source
  readonly #fields: CodeFields

  constructor(source: Source, fields: CodeFields) {
    this.#source = source
    this.#fields = fields
  }

  /** Reads all levels up to the first broken rule (Manual §2.5). */
  readFields(): Broken {
    const [source, fields] = [this.#source, this.#fields]
    const { text } = source
    return source.visitFields(0, text.length, theTop, (id, start, end, size) => {
      fields.firstId ??= id
      fields.lastId = id
      switch (id) {
        case 0:
          fields.hasFormat = true
          return this.#constantViolation(id, start, end, "01")
        case 1:
          fields.pointOfInitiation = matchesAt(text, start, "11") ? "reusable" : "singleUse"
          return size === 2 && (matchesAt(text, start, "11") || matchesAt(text, start, "12"))
            ? undefined
            : violation("01", "value", "must be 11 or 12")
        case 52:
          fields.category = text.slice(start, end)
          return categoryCodeViolation(fields.category)
        case 53:
          fields.hasCurrency = true
          return this.#constantViolation(id, start, end, "986")
        case 54:
          fields.amount = text.slice(start, end)
          return undefined
        case 58:
          fields.hasCountry = true
          return this.#constantViolation(id, start, end, "BR")
        case 59:
          fields.name = text.slice(start, end)
          return forgiveSize(fields, id, size, maxNameLength)
        case 60:
          fields.city = text.slice(start, end)
          return forgiveSize(fields, id, size, maxCityLength)
        case 61:
          fields.postalCode = text.slice(start, end)
          return undefined
        case 62:
          fields.hasAdditional = true
          return this.#takeAdditional(start, end)
        case 63:
          // The checksum was compared as four UTF-16 units.
          return size === 4 && end - start === 4 ? undefined : violation("63", "length", "must have four digits")
        case 64:
          this.#addUnrelated(theTop, id, start, end)
          return source.visitFields(start, end, id, accept)
        default:
          if (isTemplate(id)) return this.#takeTemplate(id, start, end)
          this.#addUnrelated(theTop, id, start, end)
          return undefined
      }
    })
  }

  /** Forgives characters outside the EMV set `ans`, except control and direction characters. */
  characterViolation(from: number, to: number, template: number): Broken {
    const { text } = this.#source
    return this.#source.visitFields(from, to, template, (id, start, end) => {
      if (isPrintable(text, start, end)) return undefined
      if (template === theTop && isTemplate(id)) return this.characterViolation(start, end, id)
      const field = fieldName(template, id)
      if (isUnreadable(text.slice(start, end)))
        return violation(field, "control", "has control or direction characters")
      this.#fields.forgiven.push(violation(field, "characters", "has characters outside printable ASCII"))
      return undefined
    })
  }

  #constantViolation(id: number, start: number, end: number, constant: string): Broken {
    return end - start === constant.length && matchesAt(this.#source.text, start, constant)
      ? undefined
      : violation(writeTwoDigits(id), "value", `must be ${constant}`)
  }

  #addUnrelated(template: number, id: number, start: number, end: number): void {
    this.#fields.unrelated.push({ field: fieldName(template, id), value: this.#source.text.slice(start, end) })
  }

  #takeAdditional(start: number, end: number): Broken {
    return this.#source.visitFields(start, end, 62, (id, from, to) => {
      if (id === 5) this.#fields.txid = this.#source.text.slice(from, to)
      else this.#addUnrelated(62, id, from, to)
      return undefined
    })
  }

  #takeTemplate(id: number, start: number, end: number): Broken {
    const fields = this.#fields
    const template = new PixTemplate(id)
    const broken = readTemplate(this.#source, template, start, end)
    if (broken !== undefined) return broken
    const account = isAccount(id)
    if (!template.isPix) {
      this.#addUnrelated(theTop, id, start, end)
      if (account) fields.otherAccountId ??= id
      return undefined
    }
    const first = account ? fields.account : fields.recurrence
    if (first !== undefined) {
      return violation(writeTwoDigits(id), "twoAccounts", `is of Pix, but so is ${first.id}; only one can be`)
    }
    if (!account) fields.recurrence = template
    else {
      fields.account = template
      for (const other of template.others ?? []) fields.unrelated.push(other)
    }
    return undefined
  }
}

const accept = () => undefined

const forgiveSize = ({ forgiven }: CodeFields, id: number, size: number, maxSize: number): undefined => {
  if (size > maxSize) {
    forgiven.push(violation(writeTwoDigits(id), "size", `has ${size} characters, ${maxSize} at most`))
  }
}

/** A wrong length makes a later field unreadable. The cause can be an ill-formed amount or a length in UTF-8 bytes. */
const explainMisalignment = (text: string, fields: CodeFields, firstFlaw: BrCodeViolation): BrCodeViolation => {
  const { account, amount } = fields
  return amount !== undefined && account?.key !== undefined && readAmount(amount) === -1
    ? amountViolation(amount)
    : (byteLengthViolation(text) ?? firstFlaw)
}

const beyondAscii = /[^\0-\x7f]/gu
const byte = "\xff"

const utf8Bytes = (character: string): number => {
  const codePoint = character.codePointAt(0) as number
  return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
}

/** PHP's `strlen` counts bytes. */
const byteLengthViolation = (text: string): BrCodeViolation | undefined => {
  const bytes = text.replace(beyondAscii, (character) => byte.repeat(utf8Bytes(character)))
  if (bytes === text) return undefined
  const counted: Array<number> = []
  const broken = new Source(bytes, false).visitFields(0, bytes.length, theTop, (id, start, end) => {
    if (bytes.slice(start, end).includes(byte)) counted.push(id)
    return undefined
  })
  const [first] = counted
  return broken === undefined && first !== undefined
    ? violation(writeTwoDigits(first), "bytes", "declares its length in UTF-8 bytes, not in characters")
    : undefined
}
