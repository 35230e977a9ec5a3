import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"

const table = /* @__PURE__ */ Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 8
  for (let bit = 0; bit < 8; bit++) rest = rest & 0x8000 ? (rest << 1) ^ 0x1021 : rest << 1
  return rest
})

const emptyCrc16 = 0xffff

const step = (crc: number, byte: number): number => ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ byte] as number)

export const crc16OfPrintable = (text: string, end: number = text.length): number => {
  let crc = emptyCrc16
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x20 || unit > 0x7e) return -1
    crc = step(crc, unit)
  }
  return crc
}

const stepCodePoint = (crc: number, codePoint: number): number => {
  if (codePoint < 0x80) return step(crc, codePoint)
  if (codePoint < 0x800) return step(step(crc, 0xc0 | (codePoint >> 6)), 0x80 | (codePoint & 0x3f))
  const lead =
    codePoint < 0x10000
      ? step(crc, 0xe0 | (codePoint >> 12))
      : step(step(crc, 0xf0 | (codePoint >> 18)), 0x80 | ((codePoint >> 12) & 0x3f))
  return step(step(lead, 0x80 | ((codePoint >> 6) & 0x3f)), 0x80 | (codePoint & 0x3f))
}

/** Encoders write U+FFFD for half a surrogate pair. */
const replacement = 0xfffd

/**
 * The checksum of field 63 over the UTF-8 bytes before `end`: CRC-16/CCITT-FALSE, polynomial 0x1021, start 0xFFFF (EMV
 * QRCPS-MPM 4.7.3).
 */
export const crc16 = (text: string, end: number = text.length): number => {
  const printable = crc16OfPrintable(text, end)
  if (printable >= 0) return printable
  let crc = emptyCrc16
  for (let i = 0; i < end; i++) {
    const codePoint = text.codePointAt(i) as number
    crc = stepCodePoint(crc, codePoint >= 0xd800 && codePoint <= 0xdfff ? replacement : codePoint)
    if (codePoint > 0xffff) i++
  }
  return crc
}

/** The checksum over ISO 8859-1, as some banks computed it in 2020 and 2021. */
export const crc16Latin1 = (text: string, end: number): number | undefined => {
  let crc = emptyCrc16
  for (let i = 0; i < end; i++) {
    const byte = text.charCodeAt(i)
    if (byte > 0xff) return undefined
    crc = step(crc, byte)
  }
  return crc
}

const hexadecimal: ReadonlyArray<string> = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, "0"),
)

export const formatCrc16 = (crc: number): string => `${hexadecimal[crc >> 8]}${hexadecimal[crc & 0xff]}`

const header = "6304"
const size = 4

export const hasChecksumAtEnd = (text: string): boolean =>
  text.length >= header.length + size && text.startsWith(header, text.length - header.length - size)

/** Forgives hexadecimal digits in lower case. */
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
