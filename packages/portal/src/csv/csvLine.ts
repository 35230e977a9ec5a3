import { legibleText } from "@pixcharge/core/internal"

/** What a cell holds: numbers are written as they are. */
export type CsvCell = string | number | undefined

/** Excel in Brazil parts cells by it, because its decimal mark is the comma. */
const separator = ";"

/**
 * What makes a spreadsheet take a text for a formula (OWASP, CSV injection): blanks and what can't be seen may stand before it, and
 * its other forms count, too.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\u2212])/u

/** An apostrophe before a text says that it is one. */
const harmless = (text: string): string => (formulaStart.test(text.normalize("NFKC")) ? `'${text}` : text)

const needsQuotes = /[";\r\n]|^\s|\s$/

const written = (cell: CsvCell): string => {
  if (cell === undefined) return ""
  if (typeof cell === "number") return String(cell)
  const text = harmless(legibleText(cell))
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file (RFC 4180), parted by semicolons; no text of it is a formula. */
export const csvLine = (cells: ReadonlyArray<CsvCell>): string => `${cells.map(written).join(separator)}\r\n`
