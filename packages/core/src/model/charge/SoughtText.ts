import * as Result from "effect/Result"
import type { Cnpj } from "../party/Cnpj.ts"
import { normalizeTaxId, parseTaxId, type TaxId } from "../party/TaxId.ts"
import { chargeIdFromTxid } from "./ChargeId.ts"

/** The possible meanings of a search text. */
export interface SoughtText {
  /**
   * The first and last UUID with the beginning that is sought, of a charge or a transaction. For a txid, the charge's
   * id.
   */
  readonly ids?: { readonly first: string; readonly last: string }
  /** The beginning of a payment's endToEndId. */
  readonly endToEndId?: string
  readonly payerTaxId?: TaxId
  /**
   * The beginnings of words of the payer's name, in order, folded (`foldName`). Other words can come before and between
   * them.
   */
  readonly payerWords?: ReadonlyArray<string>
  readonly amountCents?: number
  /** The whole reference. */
  readonly reference?: string
}

const plainLetter = (letter: string): string => {
  const [base = letter, ...accents] = letter.normalize("NFD")
  return accents.length === 0 ? letter : base.toLowerCase()
}

/** Folds a name for comparison: ASCII and ISO 8859-1 letters become lower case without accents, in any locale. */
export const foldName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\xc0-\xff]/g, plainLetter)

// Shorter beginnings match too many ids.
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

const writtenAmount = /^(?:R\$ ?)?(\d{1,3}(?:\.\d{3}){1,3}|\d{1,10})(?:,(\d\d))?$/

/** A short number can be an amount in reais or a word of a name. */
const bareNumber = /^\d{1,7}$/
const longNumber = /^\d{8,}$/

const soughtCents = (text: string): number | undefined => {
  const [, whole, cents = "00"] = writtenAmount.exec(text) ?? []
  return whole === undefined || longNumber.test(text) ? undefined : Number(whole.replaceAll(".", "") + cents)
}

/** Signs within names like D'Ávila and Sá-Carneiro. */
const insideWords = /['’-]/g

export const isSoughtName = (name: string, { payerWords }: SoughtText): boolean => {
  if (payerWords === undefined) return false
  const folded = ` ${foldName(name).replace(insideWords, " ")}`
  let from = 0
  return payerWords.every((word) => {
    const found = folded.indexOf(` ${word}`, from)
    from = found + 1 + word.length
    return found >= 0
  })
}

/** Matches a tax id or another id, which is no part of a name. */
const looksLikeNumber = /^(?=\S*\d)\S{8,}$/

/** A single character begins too many names. */
const soughtWords = (text: string): ReadonlyArray<string> =>
  text.length < 2 || looksLikeNumber.test(text)
    ? []
    : foldName(text).replace(insideWords, " ").split(/\s+/).filter(Boolean)

/** Reads a search text. Only with an issuer can it be a txid. */
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
    ...(trimmed !== "" && { reference: trimmed }),
  }
}
