import { emptyCrc16, extendFixed, extendPrintable, type FixedText } from "./Crc16.ts"

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
