import { legibleText } from "@pixcharge/core/internal"

/** The value of a cell. Numbers are written as they are. */
export type CsvCell = string | number | undefined

/** Excel in Brazil separates cells by semicolons, because its decimal mark is the comma. */
const separator = ";"

/**
 * The beginning of a formula in a spreadsheet (OWASP, CSV injection), after blanks and invisible characters.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\u2212])/u

/** Puts an apostrophe before a text that a spreadsheet would take for a formula. */
const escapeFormula = (text: string): string => (formulaStart.test(text.normalize("NFKC")) ? `'${text}` : text)

const needsQuotes = /[";\r\n]|^\s|\s$/

const writeCell = (cell: CsvCell): string => {
  if (cell === undefined) return ""
  if (typeof cell === "number") return String(cell)
  const text = escapeFormula(legibleText(cell))
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file (RFC 4180), separated by semicolons. None of its texts is a formula. */
export const csvLine = (cells: ReadonlyArray<CsvCell>): string => `${cells.map(writeCell).join(separator)}\r\n`
