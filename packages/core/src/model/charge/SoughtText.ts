import * as Result from "effect/Result"
import type { Cnpj } from "../party/Cnpj.ts"
import { normalizeTaxId, parseTaxId, type TaxId } from "../party/TaxId.ts"
import { chargeIdFromTxid } from "./ChargeId.ts"

/** What a text that somebody looks for can be of a charge; several at once, and none. */
export interface SoughtText {
  /** The beginning of a charge's id or transaction id: the first and the last UUID that begin so. Of a txid the charge's id. */
  readonly ids?: { readonly first: string; readonly last: string }
  /** The beginning of the endToEndId of one of its payments. */
  readonly endToEndId?: string
  /** Its payer's document. */
  readonly payerTaxId?: TaxId
  /** The beginnings of words of its payer's name, in this order, folded (`foldName`). Others may stand before and between them. */
  readonly payerWords?: ReadonlyArray<string>
  /** Its amount, or that of one of its payments, in cents. */
  readonly amountCents?: number
}

/** A letter of ISO 8859-1 without its accent, small; one without an accent as it is. */
const plainLetter = (letter: string): string => {
  const [base = letter, ...accents] = letter.normalize("NFD")
  return accents.length === 0 ? letter : base.toLowerCase()
}

/**
 * A name as it is compared: small letters, and those of ISO 8859-1 without their accents. Other letters stay as they are, so
 * that every store folds alike in any locale.
 */
export const foldName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\xc0-\xff]/g, plainLetter)

// Fewer hexadecimal digits, or an `E` without the payer's institution, begin too many ids to be what somebody looks for.
const idBeginning = /^[0-9a-f]{8,32}$/i
const endToEndBeginning = /^E[0-9A-Za-z]{8,31}$/

const uuid = (digits: string): string =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-")

const soughtIds = (text: string, issuer: Cnpj | undefined): SoughtText["ids"] => {
  const named = issuer && chargeIdFromTxid(issuer, text)
  if (named !== undefined) return { first: named, last: named }
  const digits = text.replaceAll("-", "").toLowerCase()
  if (!idBeginning.test(digits)) return undefined
  return { first: uuid(digits.padEnd(32, "0")), last: uuid(digits.padEnd(32, "f")) }
}

/** An amount as Brazilians write it. */
const writtenAmount = /^(?:R\$ ?)?(\d{1,3}(?:\.\d{3}){1,3}|\d{1,10})(?:,(\d\d))?$/

/** A number alone may be whole reais as well as a word of a name; with more digits it is an id or a document. */
const bareNumber = /^\d{1,7}$/
const longNumber = /^\d{8,}$/

const soughtCents = (text: string): number | undefined => {
  const [, whole, cents = "00"] = writtenAmount.exec(text) ?? []
  return whole === undefined || longNumber.test(text) ? undefined : Number(whole.replaceAll(".", "") + cents)
}

/** What joins two words of a name, as in D'Ávila and Sá-Carneiro. */
const insideWords = /['’-]/g

/** Whether a payer's name is one that is looked for. */
export const isSoughtName = (name: string, { payerWords }: SoughtText): boolean => {
  if (payerWords === undefined) return false
  const folded = ` ${foldName(name).replace(insideWords, " ")}`
  let at = 0
  return payerWords.every((word) => {
    const found = folded.indexOf(` ${word}`, at)
    at = found + 1 + word.length
    return found >= 0
  })
}

/** One word with digits is a document or an id where it has as many characters as these; names are read through for no such text. */
const looksLikeNumber = /^(?=\S*\d)\S{8,}$/

const soughtWords = (text: string): ReadonlyArray<string> =>
  looksLikeNumber.test(text) ? [] : foldName(text).replace(insideWords, " ").split(/\s+/).filter(Boolean)

/** What a text can be of a charge of this company, or of another thing that has no txid. */
export const readSoughtText = (text: string, issuer?: Cnpj): SoughtText => {
  const trimmed = text.normalize("NFC").trim()
  const ids = soughtIds(trimmed, issuer)
  const taxId = parseTaxId(normalizeTaxId(trimmed))
  const amountCents = soughtCents(trimmed)
  const payerWords = amountCents === undefined || bareNumber.test(trimmed) ? soughtWords(trimmed) : []
  return {
    ...(ids && { ids }),
    ...(endToEndBeginning.test(trimmed) && { endToEndId: trimmed }),
    ...(Result.isSuccess(taxId) && { payerTaxId: taxId.success }),
    ...(payerWords.length > 0 && { payerWords }),
    ...(amountCents !== undefined && { amountCents }),
  }
}
