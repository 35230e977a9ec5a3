import { crc16Latin1, formatCrc16 } from "./Crc16.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"

const header = "6304"
const size = 4

/** Whether a text ends as field 63 does, id and length and four characters. */
export const hasChecksumAtEnd = (text: string): boolean =>
  text.length >= header.length + size && text.startsWith(header, text.length - header.length - size)

/**
 * The four characters at the end are `crc`, the checksum of all before them, in upper-case hexadecimal; small letters
 * are added to `forgiven`.
 */
export const checksumViolation = (
  text: string,
  crc: number,
  forgiven: Array<BrCodeViolation>,
): BrCodeViolation | undefined => {
  const written = text.slice(-size)
  const right = formatCrc16(crc)
  if (written === right) return undefined
  if (!/^[0-9A-Fa-f]{4}$/.test(written)) return violation("63", "hexadecimal", "must be four hexadecimal digits")
  if (written.toUpperCase() !== right) return mismatch(text, written, right)
  forgiven.push(violation("63", "case", "is written with small letters"))
  return undefined
}

const mismatch = (text: string, written: string, right: string): BrCodeViolation => {
  const latin1 = crc16Latin1(text, text.length - size)
  const bytes =
    latin1 !== undefined && formatCrc16(latin1) === written.toUpperCase()
      ? "; it was computed over ISO 8859-1 (Latin-1) bytes instead of UTF-8"
      : ""
  return violation("63", "crc", `is ${written}, and the text before it gives ${right}${bytes}`)
}
