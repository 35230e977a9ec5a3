import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { isValidCnpj } from "../party/Cnpj.ts"
import { isValidCpf } from "../party/Cpf.ts"
import { type BrCodeRule, type BrCodeViolation, violation } from "./InvalidBrCode.ts"

const maxSize = 77

/** Repeats the pattern, because engines match a count such as `{4}` slowly. */
const four = "[0-9a-f]".repeat(4)
const random = new RegExp(`^${four}${four}-${four}-${four}-${four}-${four}${four}${four}$`)

/** Outside Brazil: 3 to 16 digits, as in the DICT. */
const phone = /^\+(?:55[1-9]{2}\d{8,9}|(?!55)[1-9]\d{2,15})$/

/** The DICT's own pattern of e-mail keys. */
const email =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

const elevenDigits = /^\d{11}$/
const cnpjShape = /^[0-9A-Z]{12}\d{2}$/

/** Checks only the characters (Manual §2.6). */
export const isReadableKey = (key: string): boolean => /^[!-~]+$/.test(key)

const punctuatedCpf = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/
const punctuatedCnpj = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}$/i
const randomInAnyCase = new RegExp(`^${four}${four}(?:-?${four}){3}-?${four}${four}${four}$`, "i")

/**
 * Rewrites a Pix key in the form of the DICT. Accepts e-mails and random keys in capitals, a CPF or CNPJ with
 * punctuation, phones with blanks and Brazilian phones without `+`. Returns any other text unchanged.
 *
 * @example
 * ```ts
 * import { normalizePixKey } from "@pixcharge/core/brcode"
 *
 * normalizePixKey("Loja@Example.com") // => "loja@example.com"
 * ```
 */
export const normalizePixKey = (written: string): string => {
  if (written.length > 2 * maxSize) return written
  const text = written.trim()
  if (text.includes("@")) return text.toLowerCase()
  if (punctuatedCpf.test(text) || punctuatedCnpj.test(text)) return text.replace(/[./-]/g, "").toUpperCase()
  if (randomInAnyCase.test(text)) {
    const letters = text.replaceAll("-", "").toLowerCase()
    return letters.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
  }
  // A foreign phone needs its `+`: the digits could be a CPF.
  const number = text.replace(/[\s()-]/g, "").replace(/^55/, "+55")
  return phone.test(number) ? number : text
}

export type PixKeyKind = "cpf" | "cnpj" | "phone" | "email" | "random"

interface KeyFlaw {
  readonly rule: BrCodeRule
  readonly sentence: string
}

const wrongDigits = (kind: string): KeyFlaw => ({
  rule: "checkDigits",
  sentence: `has wrong check digits for a ${kind}`,
})

const readKey = (key: string): PixKeyKind | KeyFlaw => {
  if (typeof key !== "string" || key === "")
    return { rule: "missing", sentence: "is missing: a static code needs a PIX key" }
  if (key.length > maxSize) return { rule: "size", sentence: `has ${key.length} characters, 77 at most` }
  if (random.test(key)) return "random"
  if (elevenDigits.test(key)) return isValidCpf(key) ? "cpf" : wrongDigits("CPF; a phone is written with +55")
  if (cnpjShape.test(key)) return isValidCnpj(key) ? "cnpj" : wrongDigits("CNPJ")
  if (phone.test(key)) return "phone"
  if (email.test(key)) return "email"
  return {
    rule: "key",
    sentence: "is no CPF, CNPJ, phone with + and country, lower-case e-mail or lower-case random key",
  }
}

/**
 * Requires the DICT's form of a key (Manual §2.5.1, API DICT). A CPF's check digits must be right, because a mobile
 * number without `+55` also has eleven digits: the code would pay the owner of that CPF.
 */
export const pixKeyViolation = (key: string): BrCodeViolation | undefined => {
  const read = readKey(key)
  return typeof read === "string" ? undefined : violation("26.01", read.rule, read.sentence)
}

/**
 * A text that is no Pix key; `rule` says which rule it breaks. The error doesn't contain the text.
 *
 * @remedy Give the key as the bank registered it: CPF, CNPJ, e-mail, phone number with `+` and country code, or random key.
 * @repeat No, only with another key.
 */
export class InvalidPixKey extends TaggedError("InvalidPixKey")<KeyFlaw> {
  override get message(): string {
    return `A Pix key ${this.sentence}.`
  }
}

export interface PixKey {
  readonly kind: PixKeyKind
  readonly key: string
}

/**
 * Parses a Pix key in the form of the DICT; `normalizePixKey` tidies other forms first. Only the DICT knows whether the key
 * is registered.
 *
 * @example
 * ```ts
 * import { parsePixKey } from "@pixcharge/core/brcode"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(parsePixKey("+5581987654321")).kind // => "phone"
 * ```
 */
export const parsePixKey = (text: string): Result.Result<PixKey, InvalidPixKey> => {
  const read = readKey(text)
  return typeof read === "string" ? Result.succeed({ kind: read, key: text }) : Result.fail(new InvalidPixKey(read))
}
