import type { Cents } from "../money/Money.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"

/** Field 54 holds at most 13 characters. */
const capacity = 13

/**
 * The amount of field 54 in centavos: digits, then at most a point and up to two decimals, 13 characters in all
 * (EMV QRCPS-MPM 4.7.2). "100", "100.5", "100.50" and "100." are amounts; ".5", "1,00" and "1.005" are not: -1.
 *
 * Thirteen digits stay below 2^53 centavos, so that nothing is ever rounded.
 */
export const readAmount = (text: string): Cents | -1 => {
  if (text.length > capacity) return -1
  let cents = 0
  let decimals = -1
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x2e && decimals < 0 && i > 0) decimals = 0
    else if (unit < 0x30 || unit > 0x39 || decimals === 2) return -1
    else {
      cents = cents * 10 + unit - 0x30
      if (decimals >= 0) decimals++
    }
  }
  return (decimals === 2 ? cents : decimals === 1 ? cents * 10 : cents * 100) as Cents
}

/** Why `readAmount` refuses a text. */
export const amountViolation = (text: string): BrCodeViolation =>
  text.length > capacity
    ? violation("54", "size", `has ${text.length} characters, ${capacity} at most`)
    : violation("54", "amount", "must be digits with at most a point and two decimals")

/**
 * Centavos as field 54 writes them: "100.50", always two decimals where that fits in 13 characters; from R$ 10 billion on
 * zeros at the end are left out, and what still doesn't fit has no text.
 */
export const writeAmount = (cents: Cents): string | undefined => {
  const rest = cents % 100
  const reais = String((cents - rest) / 100)
  const decimals = rest < 10 ? `0${rest}` : String(rest)
  const text = `${reais}.${decimals}`
  if (text.length <= capacity) return text
  const shorter = rest === 0 ? reais : text.replace(/0$/, "")
  return shorter.length <= capacity ? shorter : undefined
}
