import type { PayerAddress } from "@pixcharge/core/charges"
import { maskTaxId, type Payer } from "@pixcharge/core/party"
import { formatsFor } from "@pixcharge/web"

export const formats = formatsFor("pt-BR")

/** A count with its noun: `1 envio`, `2 envios`. */
export const several = (number: number, one: string, more: string): string =>
  `${formats.count(number)} ${number === 1 ? one : more}`

/** Keeps the first letter of each word: `J*** d*** S***`. */
const maskName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${Array.from(word)[0] ?? ""}***`)
    .join(" ")

/** On one line. */
export const formatAddress = ({ street, city, state, postalCode }: PayerAddress): string =>
  `${street}, ${city} - ${state}, CEP ${postalCode.slice(0, 5)}-${postalCode.slice(5)}`

export const maskPayer = ({ name, taxId }: Payer): string => `${maskName(name)} · ${maskTaxId(taxId)}`
