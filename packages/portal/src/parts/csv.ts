import type { Reply } from "@pixcharge/core"
import { legibleText } from "@pixcharge/core/internal"

/** A cell of a file. Numbers are written unchanged; texts are escaped. */
export type CsvCell = string | number | undefined

/** A semicolon, because Excel in Brazil expects it: its decimal mark is the comma. */
const separator = ";"

/** Characters after which some program begins a new cell (OWASP, CSV injection). */
const everySeparator = /([",;|\t\r\n])/

/** The start of a formula, after blanks and invisible characters. */
const formulaStart = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\u2212]/u

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

/** A line of a CSV file (RFC 4180), separated by semicolons, with formulas escaped. */
export const csvLine = (cells: ReadonlyArray<CsvCell>): string => `${cells.map(writeCell).join(separator)}\r\n`

interface CsvFile {
  /** The name without its extension: letters, digits and hyphens. */
  readonly name: string
  readonly header: ReadonlyArray<string>
  /** The rows, which are read while the file is sent, until the client disconnects. */
  readonly rows: Iterable<ReadonlyArray<CsvCell>> | AsyncIterable<ReadonlyArray<CsvCell>>
}

const rowsAtOnce = 100

/** The start of the file. Excel needs it to read a file as UTF-8. */
const byteOrderMark = "\uFEFF"

/** The last line of an incomplete file. The status can't show the failure, because it was already sent. */
const incompleteText = "ARQUIVO INCOMPLETO: a leitura falhou antes do fim. Baixe o arquivo de novo."

async function* splitChunks({ header, rows }: CsvFile): AsyncGenerator<string, void> {
  let chunk = byteOrderMark + csvLine(header)
  let count = 0
  try {
    for await (const row of rows) {
      chunk += csvLine(row)
      count += 1
      if (count % rowsAtOnce > 0) continue
      yield chunk
      chunk = ""
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  } catch (error) {
    const isUnsent = count < rowsAtOnce
    if (isUnsent) throw error
    chunk += csvLine([incompleteText])
  }
  if (chunk !== "") yield chunk
}

/**
 * Streams a CSV file as fast as the client reads. Rejects if one of the first 100 rows fails. If a later row fails, the last line
 * of the file says so.
 */
export const csvReply = async (file: CsvFile): Promise<Reply> => {
  const chunks = splitChunks(file)
  const encoder = new TextEncoder()
  let next: IteratorResult<string, void> | undefined = await chunks.next()
  return {
    status: 200,
    headers: {
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="${file.name}.csv"`,
      "content-type": "text/csv; charset=utf-8; header=present",
    },
    body: new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = next ?? (await chunks.next())
        next = undefined
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => {
        await chunks.return()
      },
    }),
  }
}
