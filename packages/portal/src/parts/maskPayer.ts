import { maskTaxId, type Payer } from "@pixcharge/core/party"

/** A name of which each word keeps its first letter: `J*** d* S***` tells two payers apart, and names neither. */
const maskName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${Array.from(word)[0] ?? ""}***`)
    .join(" ")

/** A payer as lists show them: who looks for somebody recognises them, and nobody else learns who it is. */
export const maskPayer = ({ name, taxId }: Payer): string => `${maskName(name)} · ${maskTaxId(taxId)}`
