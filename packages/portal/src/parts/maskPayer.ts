import { maskTaxId, type Payer } from "@pixcharge/core/party"

/** A name of which each word keeps its first letter: `J*** d* S***` tells two payers apart, and names neither. */
const maskName = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${Array.from(word)[0] ?? ""}***`)
    .join(" ")

/** A payer in lists: people who know the payer recognise them, others learn nothing. */
export const maskPayer = ({ name, taxId }: Payer): string => `${maskName(name)} · ${maskTaxId(taxId)}`
