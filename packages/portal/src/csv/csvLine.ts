import { legibleText } from "@pixcharge/core/internal"

/** The value of a cell. Numbers are written as they are. */
export type CsvCell = string | number | undefined

/** Excel in Brazil separates cells by semicolons, because its decimal mark is the comma. */
const separator = ";"

/** Where a program may begin another cell that takes other separators than Excel in Brazil (OWASP, CSV injection). */
const everySeparator = /([",;|\t\r\n])/

/** The beginning of a formula in a spreadsheet, after blanks and invisible characters. */
const formulaStart = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\u2212]/u

/** Puts an apostrophe before each text that a spreadsheet would take for a formula, however it separates cells. */
const escapeFormulas = (text: string): string =>
  text
    .split(everySeparator)
    .map((part) => (formulaStart.test(part.normalize("NFKC")) ? `'${part}` : part))
    .join("")

const needsQuotes = /[",;|\t\r\n]|^\s|\s$/

const writeCell = (cell: CsvCell): string => {
  if (cell === undefined) return ""
  if (typeof cell === "number") return String(cell)
  const text = escapeFormulas(legibleText(cell))
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a CSV file (RFC 4180), separated by semicolons. None of its texts is a formula. */
export const csvLine = (cells: ReadonlyArray<CsvCell>): string => `${cells.map(writeCell).join(separator)}\r\n`
