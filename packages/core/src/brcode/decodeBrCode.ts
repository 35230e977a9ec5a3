import * as Result from "effect/Result"
import type { BrCode } from "./BrCode.ts"
import { hasChecksumAtEnd, checksumViolation } from "./Checksum.ts"
import { CodeFields, type CompleteFields, forgiveLeftOut, missingFieldViolation } from "./CodeFields.ts"
import { composeCode } from "./composeCode.ts"
import { crc16, emptyCrc16, extendPrintable } from "./Crc16.ts"
import { explainMisalignment } from "./explainMisalignment.ts"
import { type BrCodeViolation, InvalidBrCode, violation } from "./InvalidBrCode.ts"
import type { UnrelatedField } from "./PixTemplate.ts"
import { readCodeFields } from "./readCodeFields.ts"
import { countCharacters, type Source } from "./Tlv.ts"
import { characterViolation } from "./characterViolation.ts"

/**
 * How a code is read: `strict` takes what obeys every rule; `lenient` also takes what official examples and banks did
 * write, and reports it.
 */
export type BrCodeReading = "strict" | "lenient"

/** What a BR Code says. */
export interface DecodedBrCode {
  readonly code: BrCode
  /** The fields that do not belong to the Pix, in their order. */
  readonly unrelated: ReadonlyArray<UnrelatedField>
  /** The rules that the text breaks and a lenient reading passes over; empty after a strict one. */
  readonly forgiven: ReadonlyArray<BrCodeViolation>
}

/**
 * Reads a BR Code, or says which field breaks which rule. Any text gets an answer: nothing is thrown, guessed or repaired.
 *
 * A lenient reading forgives, and only that: characters outside ASCII in texts for people, a name above 25 or a city above 15
 * characters, hyphen and underscore in a txid, a missing field 62, an amount of zero beside a key, small letters in the
 * checksum, and an ill-formed amount or txid in a code without a key, where both are to be ignored (Manual §2.7).
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

/** API Pix grants `pixCopiaECola` 512 characters. */
const maxSize = 512

/** A character has at most two UTF-16 units, so that gigantic texts need no counting. */
const isTooLong = (text: string): boolean =>
  text.length > maxSize && (text.length > 2 * maxSize || countCharacters(text, 0, text.length) > maxSize)

/**
 * Reads a text into its fields. Of a text that was altered on its way no field can be trusted, so the checksum speaks
 * first; a text that doesn't end in one is left for its fields to explain.
 */
const textViolation = (text: string, fields: CodeFields): BrCodeViolation | undefined => {
  if (typeof text !== "string") return violation("code", "text", "is no text")
  if (isTooLong(text)) return violation("code", "size", `has more than ${maxSize} characters`)
  const end = text.length - 4
  const crc = extendPrintable(emptyCrc16, text, end)
  const ends = hasChecksumAtEnd(text)
  const mismatch = ends ? checksumViolation(text, crc < 0 ? crc16(text, end) : crc, fields.forgiven) : undefined
  if (mismatch !== undefined) return mismatch
  const printable = ends && crc >= 0
  const source: Source = { text, wide: !printable && /[\ud800-\udfff]/.test(text) }
  const met = readCodeFields(source, fields) ?? missingFieldViolation(fields)
  const broken = met && explainMisalignment(text, fields, met)
  if (broken !== undefined && !forgiveLeftOut(fields, broken)) return broken
  return printable ? undefined : characterViolation(source, fields.forgiven)
}
