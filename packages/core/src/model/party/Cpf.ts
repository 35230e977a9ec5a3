import * as Result from "effect/Result"
import { shapeFlaw, type InvalidTaxId, invalidTaxId, type InvalidTaxIdReason } from "./InvalidTaxId.ts"

declare const brand: unique symbol

/** A person's registry number without punctuation: 11 digits, the last two check digits. */
export type Cpf = string & { readonly [brand]: "Cpf" }

const mayHold = /^[\d./-]*$/

const barePositions = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
const punctuatedPositions = Uint8Array.of(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13)

const isPunctuated = (text: string): boolean => text[3] === "." && text[7] === "." && text[11] === "-"

const positionsIn = (text: string): Uint8Array | undefined => {
  if (text.length === 11) return barePositions
  return text.length === 14 && isPunctuated(text) ? punctuatedPositions : undefined
}

const checkDigit = (sum: number): number => ((sum * 10) % 11) % 10

const taxIdFlaw = (text: string): InvalidTaxIdReason | undefined => {
  if (typeof text !== "string") return "character"
  const positions = positionsIn(text)
  if (positions === undefined) return shapeFlaw(text, mayHold, 11)
  const first = text.charCodeAt(0) - 48
  let plain = 0
  let weighted = 0
  let written = 0
  let repeated = true
  for (let i = 0; i < 11; i++) {
    const digit = text.charCodeAt(positions[i] ?? 0) - 48
    if (!(digit >= 0 && digit <= 9)) return shapeFlaw(text, mayHold, 11)
    if (digit !== first) repeated = false
    if (i < 9) {
      plain += digit
      weighted += digit * (10 - i)
    } else written = written * 10 + digit
  }
  // Eleven equal digits pass the arithmetic.
  if (repeated) return "repeated"
  const tenth = checkDigit(weighted)
  // For the last digit every weight is one higher, and the tenth digit has weight 2.
  const eleventh = checkDigit(weighted + plain + 2 * tenth)
  return written === tenth * 10 + eleventh ? undefined : "checkDigits"
}

/**
 * Parses a CPF, bare or punctuated as `000.000.000-00`, with right check digits. Refuses one digit repeated, partial
 * punctuation and spaces; `normalizeTaxId` tidies such texts.
 *
 * @example
 * ```ts
 * import { parseCpf } from "@pixcharge/core/party"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(parseCpf("529.982.247-25")) // => "52998224725"
 * ```
 */
export const parseCpf = (text: string): Result.Result<Cpf, InvalidTaxId> => {
  const flaw = taxIdFlaw(text)
  if (flaw !== undefined) return invalidTaxId("cpf", flaw)
  return Result.succeed((text.length === 11 ? text : text.replace(/[.-]/g, "")) as Cpf)
}

export const isValidCpf = (text: string): boolean => taxIdFlaw(text) === undefined
