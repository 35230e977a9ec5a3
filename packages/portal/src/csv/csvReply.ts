import type { Reply } from "@pixcharge/core"
import { type CsvCell, csvLine } from "./csvLine.ts"

interface CsvFile {
  /** The file's name without the ending: letters, digits and hyphens. */
  readonly name: string
  readonly header: ReadonlyArray<string>
  /** Read while the file is sent, and no further once the client has gone. */
  readonly rows: Iterable<ReadonlyArray<CsvCell>> | AsyncIterable<ReadonlyArray<CsvCell>>
}

/** How many rows are written at once, before the process does something else. */
const rowsAtOnce = 100

/** Excel needs this mark to read a file as UTF-8. */
const byteOrderMark = "\uFEFF"

/** The last line of a file whose rows couldn't be read to their end: its beginning has been sent with a status of success. */
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
 * A CSV file that browsers save under its name, written as fast as the client reads. If a row fails, its last line says that it is
 * incomplete; rejects if one of the first does.
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
