import { readFileSync } from "node:fs"
import * as fc from "fast-check"

/** A text from a registry, a bank or another library's tests. */
export interface Vector {
  readonly input: string
  readonly valid: boolean
  readonly canonical: string | null
  readonly note: string
}

export const documents: {
  readonly cpf: ReadonlyArray<Vector>
  readonly cnpjNumeric: ReadonlyArray<Vector>
  readonly cnpjAlphanumeric: ReadonlyArray<Vector>
  readonly ambiguous: ReadonlyArray<{ readonly input: string; readonly note: string; readonly lenient: boolean }>
} = JSON.parse(readFileSync(new URL("documents.json", import.meta.url), "utf8"))

/** The registry's rule: weights 2 to 9 (11 for a CPF) from the right, 11 less the remainder. */
const withCheckDigits = (body: string, highestWeight: number): string => {
  let text = body
  for (let digits = 0; digits < 2; digits++) {
    const sum = [...text].toReversed().reduce((total, character, index) => {
      const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 48
      return total + value * (2 + (index % (highestWeight - 1)))
    }, 0)
    const digit = 11 - (sum % 11)
    text += digit > 9 ? "0" : String(digit)
  }
  return text
}

/** A number without its check digits, and not one character repeated. */
export const makeBody = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((characters) => characters.join(""))
    .filter((body) => new Set(body).size > 1)

export const cpfs = makeBody("0123456789", 9).map((body) => withCheckDigits(body, 11))
export const cnpjs = makeBody("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", 12).map((body) => withCheckDigits(body, 9))

export const withMask = (text: string): string =>
  text.length === 11
    ? text.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3-$4")
    : text.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5")
