import { maskTaxId, type Payer } from "@pixcharge/core/party"
import { formatsFor } from "@pixcharge/web"

/** Amounts, days and times as operators read them. */
export const formats = formatsFor("pt-BR")

/** A count with its noun: `1 envio`, `2 envios`. */
export const several = (number: number, one: string, more: string): string =>
  `${formats.count(number)} ${number === 1 ? one : more}`

/** A name of which each word keeps its first letter: `J*** d* S***` tells two payers apart, and names neither. */
const maskName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${Array.from(word)[0] ?? ""}***`)
    .join(" ")

/** A payer in lists: people who know the payer recognise them, others learn nothing. */
export const maskPayer = ({ name, taxId }: Payer): string => `${maskName(name)} · ${maskTaxId(taxId)}`
