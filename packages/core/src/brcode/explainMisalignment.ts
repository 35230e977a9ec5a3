import { readAmount, amountViolation } from "./Amount.ts"
import type { CodeFields } from "./CodeFields.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { theTop, visitFields, writeTwoDigits } from "./Tlv.ts"

/**
 * Why the fields of a text could not all be read: an amount before was ill-formed, or lengths were counted in UTF-8 bytes;
 * else it is what the reading `met`.
 *
 * A wrong length makes its own field end in the wrong place, and only some field after it unreadable or missing.
 */
export const explainMisalignment = (text: string, fields: CodeFields, met: BrCodeViolation): BrCodeViolation => {
  const { account, amount } = fields
  return amount !== undefined && account?.key !== undefined && readAmount(amount) === -1
    ? amountViolation(amount)
    : (byteLengthViolation(text) ?? met)
}

const beyondAscii = /[^\0-\x7f]/gu
/** Stands for one byte of a character beyond ASCII. */
const byte = "\xff"

const utf8Bytes = (character: string): number => {
  const codePoint = character.codePointAt(0) as number
  return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
}

/** Writers that measure with a byte count (PHP's `strlen`) declare too much for every accent. */
const byteLengthViolation = (text: string): BrCodeViolation | undefined => {
  const bytes = text.replace(beyondAscii, (character) => byte.repeat(utf8Bytes(character)))
  if (bytes === text) return undefined
  const counted: Array<number> = []
  const broken = visitFields({ text: bytes, wide: false }, 0, bytes.length, theTop, (id, start, end) => {
    if (bytes.slice(start, end).includes(byte)) counted.push(id)
    return undefined
  })
  const [first] = counted
  return broken === undefined && first !== undefined
    ? violation(writeTwoDigits(first), "bytes", "declares its length in UTF-8 bytes, not in characters")
    : undefined
}
