import * as Result from "effect/Result"
import { type InvalidTaxId, invalidTaxId, type InvalidTaxIdReason, separators, shapeFlaw } from "./InvalidTaxId.ts"

declare const brand: unique symbol

/**
 * A company's registry number without punctuation: 12 digits or capital letters (letters since July 2026, IN RFB
 * 2.229/2024) and 2 check digits.
 */
export type Cnpj = string & { readonly [brand]: "Cnpj" }

export const mayHold = /^[0-9A-Z./-]*$/

const barePositions = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
const punctuatedPositions = Uint8Array.of(0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 16, 17)

const isPunctuated = (text: string): boolean =>
  text[2] === "." && text[6] === "." && text[10] === "/" && text[15] === "-"

const positionsIn = (text: string): Uint8Array | undefined => {
  if (text.length === 14) return barePositions
  return text.length === 18 && isPunctuated(text) ? punctuatedPositions : undefined
}

const thirteenthWeights = Uint8Array.of(5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
const fourteenthWeights = Uint8Array.of(6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3)

const checkDigit = (sum: number): number => {
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

const isDigit = (value: number): boolean => value >= 0 && value <= 9
const isLetter = (value: number): boolean => value >= 17 && value <= 42

const taxIdFlaw = (text: string): InvalidTaxIdReason | undefined => {
  if (typeof text !== "string") return "character"
  const positions = positionsIn(text)
  if (positions === undefined) return shapeFlaw(text, mayHold, 14)
  const first = text.charCodeAt(0) - 48
  let thirteenth = 0
  let fourteenth = 0
  let written = 0
  let repeated = true
  for (let i = 0; i < 14; i++) {
    // A character's value is its code minus 48 (IN RFB 2.229/2024).
    const value = text.charCodeAt(positions[i] ?? 0) - 48
    if (!isDigit(value) && (i > 11 || !isLetter(value))) {
      return isLetter(value) ? "character" : shapeFlaw(text, mayHold, 14)
    }
    if (value !== first) repeated = false
    if (i < 12) {
      thirteenth += value * (thirteenthWeights[i] ?? 0)
      fourteenth += value * (fourteenthWeights[i] ?? 0)
    } else written = written * 10 + value
  }
  if (repeated) return "repeated"
  const check = checkDigit(thirteenth)
  return written === check * 10 + checkDigit(fourteenth + 2 * check) ? undefined : "checkDigits"
}

/**
 * Parses a CNPJ, bare or punctuated as `00.000.000/0000-00`, with right check digits. Refuses one character repeated, small
 * letters, partial punctuation and spaces; `normalizeTaxId` tidies such texts.
 *
 * @example
 * ```ts
 * import { parseCnpj } from "@pixcharge/core/party"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(parseCnpj("12.ABC.345/01DE-35")) // => "12ABC34501DE35"
 * ```
 */
export const parseCnpj = (text: string): Result.Result<Cnpj, InvalidTaxId> => {
  const flaw = taxIdFlaw(text)
  if (flaw !== undefined) return invalidTaxId("cnpj", flaw)
  return Result.succeed((text.length === 14 ? text : text.replace(separators, "")) as Cnpj)
}

export const isValidCnpj = (text: string): boolean => taxIdFlaw(text) === undefined
