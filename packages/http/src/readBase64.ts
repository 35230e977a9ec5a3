import { Buffer, isUtf8 } from "node:buffer"

const noDigit = /[^A-Za-z0-9+/]/

/** The UTF-8 text of a Base64 in either alphabet, padded or not, read strictly (decision 2); undefined for any other text. */
export const readBase64 = (text: string): string | undefined => {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/")
  const digits = standard.replace(/=?=$/, "")
  if (noDigit.test(digits) || digits.length % 4 === 1) return undefined
  if (digits.length !== standard.length && standard.length % 4 !== 0) return undefined
  const bytes = Buffer.from(standard, "base64")
  return isUtf8(bytes) ? bytes.toString() : undefined
}
