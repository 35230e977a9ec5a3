import * as Result from "effect/Result"
import { normalizeTaxId, parseTaxId, type TaxId } from "../../party/TaxId.ts"

/** What a text that somebody looks for can be of a charge; several at once, and none. */
export interface SoughtText {
  /** The beginning of a charge's id, txid or transaction id: the first and the last UUID that begin so. */
  readonly ids?: { readonly first: string; readonly last: string }
  /** The beginning of the endToEndId of one of its payments. */
  readonly endToEndId?: string
  /** Its payer's document. */
  readonly payerTaxId?: TaxId
  /** The beginning of its payer's name, folded (`foldName`): of the first word, if there are several. */
  readonly payerName?: string
  /** The beginnings of further words of that name, in this order, folded. Others may stand between them. */
  readonly payerWords?: ReadonlyArray<string>
  /** The amount of one of its payments, in cents. */
  readonly paidCents?: number
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

const soughtIds = (text: string): SoughtText["ids"] => {
  const digits = text.replaceAll("-", "").toLowerCase()
  if (!idBeginning.test(digits)) return undefined
  return { first: uuid(digits.padEnd(32, "0")), last: uuid(digits.padEnd(32, "f")) }
}

/** An amount as Brazilians write it, with its centavos: without them it would be any number. */
const writtenAmount = /^(?:R\$ ?)?(\d{1,3}(?:\.\d{3}){1,3}|\d{1,10}),(\d\d)$/

const soughtCents = (text: string): number | undefined => {
  const [, whole, cents = ""] = writtenAmount.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole.replaceAll(".", "") + cents)
}

/** Whether a payer's name is one that is looked for. */
export const isSoughtName = (name: string, { payerName, payerWords = [] }: SoughtText): boolean => {
  const folded = foldName(name)
  if (payerName === undefined || !folded.startsWith(payerName)) return false
  let at = payerName.length
  return payerWords.every((word) => {
    const found = folded.indexOf(` ${word}`, at)
    at = found + 1 + word.length
    return found >= 0
  })
}

/** What a text can be of a charge. */
export const readSoughtText = (text: string): SoughtText => {
  const trimmed = text.normalize("NFC").trim()
  const ids = soughtIds(trimmed)
  const taxId = parseTaxId(normalizeTaxId(trimmed))
  const [payerName = "", ...payerWords] = foldName(trimmed).split(/\s+/)
  const paidCents = soughtCents(trimmed)
  return {
    ...(ids && { ids }),
    ...(endToEndBeginning.test(trimmed) && { endToEndId: trimmed }),
    ...(Result.isSuccess(taxId) && { payerTaxId: taxId.success }),
    ...(payerName !== "" && { payerName }),
    ...(payerWords.length > 0 && { payerWords }),
    ...(paidCents !== undefined && { paidCents }),
  }
}
